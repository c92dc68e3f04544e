import { nearest } from "../text/nearest.js";
import { type Misuse, Scope } from "./scope.js";
import type { VariablesContract } from "./variables.js";

/** A name that belongs to a section's items, even if an outer variable has the same name. */
export interface OwnName {
  /** The names of the sections around, outermost first; the last iterates over the items. Empty for top-level variables. */
  readonly within: readonly string[];
  readonly name: string;
}

/**
 * The problem if a section's items don't have a name that is meant to be theirs. Undefined if they do: then an absent
 * value is null, and no outer value shows through.
 *
 * @example
 * missingOwnName({ within: ["items"], name: "titel" }, contract); // { message: 'An item of "items" has no "titel".', nearName: "title" }
 */
export function missingOwnName({ within, name }: OwnName, contract: VariablesContract): Misuse | undefined {
  const { names } = Scope.of(contract).inside(within).item;
  if (names.includes(name)) return undefined;
  const near = nearest(name, names);
  const section = within.at(-1);
  const message =
    section === undefined ? `There is no variable "${name}" here.` : `An item of "${section}" has no "${name}".`;
  return { message, ...(near !== undefined && { nearName: near }) };
}
