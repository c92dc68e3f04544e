import { isShown, lookUp, type Scope, toPath } from "../../mustache/lookup.js";
import type { Variables } from "../../mustache/variables.js";

/**
 * The values that a tag is filled with, one for each time that it is shown.
 *
 * @example
 * valuesOf({ items: [{ name: "Tea" }, { name: "Jam" }] }, { within: ["items"], name: "name" }); // ["Tea", "Jam"]
 *
 * @param within The names of the sections around it, the outermost first, without inverted ones.
 */
export function valuesOf(
  variables: Variables,
  { within, name }: { readonly within: readonly string[]; readonly name: string },
): unknown[] {
  const places = within.reduce<readonly Scope[]>(
    (around, section) => around.flatMap((scope) => entered(scope, section)),
    [{ value: variables, outer: undefined }],
  );
  return places.map((scope) => lookUp(scope, toPath(name)));
}

function entered(scope: Scope, section: string): Scope[] {
  const value = lookUp(scope, toPath(section));
  if (!isShown(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => ({ value: item, outer: scope }));
}
