import { isOnly, kindsOf } from "./kinds.js";
import { pathOf } from "./paths.js";
import { REFUSED, refuse } from "./refusal.js";
import type { Site } from "./symbolic.js";

/** Properties that components read to distinguish elements from strings. */
const ELEMENT_PROPERTIES: ReadonlySet<string> = new Set(["key", "props", "ref", "type"]);

/**
 * The object for `object.name`. A string or number has no members to print: in JavaScript they would be undefined, and
 * every email would lack the value.
 */
export function holder(object: unknown, name: string, site: Site | undefined): unknown {
  const path = pathOf(object);
  if (!path || !isOnly(path, "string", "number") || ELEMENT_PROPERTIES.has(name)) return object;
  const kinds = kindsOf(path);
  const kind = [kinds.has("string") && "string", kinds.has("number") && "number"].filter(Boolean).join(" or ");
  refuse(path, `reads ".${name}" of a ${kind}`, {
    site,
    hint: `According to variables.ts or the fixtures, it is a ${kind}, which has no members to print. Print it as a whole, or make it an object there.`,
  });
  return REFUSED;
}
