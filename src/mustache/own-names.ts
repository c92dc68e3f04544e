import { nearest } from "../nearest.js";
import { Shape } from "./shape.js";
import { type Misuse, Surroundings } from "./surroundings.js";
import type { VariablesContract } from "./variables.js";

/** A name that is meant as one of an item's own, whatever is called so outside of the section. */
export interface OwnName {
  /** The names of the sections around, the outermost first; the last goes through the items. Empty for the variables themselves. */
  readonly within: readonly string[];
  readonly name: string;
}

/**
 * What is wrong with a name that is meant as the items' own: that they don't have it. Undefined where they do, so that it
 * is null where it is absent, and nothing from outside shows through.
 *
 * @example
 * missingOwnName({ within: ["items"], name: "titel" }, contract); // { message: 'An item of "items" has no "titel".', nearName: "title" }
 */
export function missingOwnName({ within, name }: OwnName, contract: VariablesContract): Misuse | undefined {
  const around = within.reduce((outside, section) => {
    const value = outside.resolve(section);
    return outside.within(value instanceof Shape ? value : Shape.UNKNOWN);
  }, Surroundings.of(contract));
  const { names } = around.item;
  if (names.includes(name)) return undefined;
  const near = nearest(name, names);
  const section = within.at(-1);
  const message =
    section === undefined ? `There is no variable "${name}" here.` : `An item of "${section}" has no "${name}".`;
  return { message, ...(near !== undefined && { nearName: near }) };
}
