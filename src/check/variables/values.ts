import { isShown, lookUp, type Context, toPath } from "../../mustache/lookup.js";
import type { Variables } from "../../mustache/variables.js";

/**
 * The values that fill a tag, one for each time it is shown.
 *
 * @example
 * valuesOf({ items: [{ name: "Tea" }, { name: "Jam" }] }, { within: ["items"], name: "name" }); // ["Tea", "Jam"]
 *
 * @param within The names of the sections around it, outermost first, without inverted ones.
 */
export function valuesOf(
  variables: Variables,
  { within, name }: { readonly within: readonly string[]; readonly name: string },
): unknown[] {
  const scopes = within.reduce<readonly Context[]>(
    (around, section) => around.flatMap((scope) => scopesIn(scope, section)),
    [{ value: variables, outer: undefined }],
  );
  return scopes.map((scope) => lookUp(scope, toPath(name)));
}

function scopesIn(scope: Context, section: string): Context[] {
  const value = lookUp(scope, toPath(section));
  if (!isShown(value)) return [];
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.map((item) => ({ value: item, outer: scope }));
}
