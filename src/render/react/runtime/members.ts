import { isOnly, kindsOf } from "./kinds.js";
import { pathOf } from "./paths.js";
import { REFUSED, refuse } from "./refusal.js";
import type { Site } from "./symbolic.js";

/** What a component asks of its children to tell elements from texts. */
const OF_ELEMENTS: ReadonlySet<string> = new Set(["key", "props", "ref", "type"]);

/**
 * The object of `object.name`. A text and a number have no members that could be printed: in JavaScript they would be
 * undefined, and what was meant would be missing in every email.
 */
export function holder(object: unknown, name: string, site: Site | undefined): unknown {
  const path = pathOf(object);
  if (!path || !isOnly(path, "string", "number") || OF_ELEMENTS.has(name)) return object;
  const kinds = kindsOf(path);
  const kind = [kinds.has("string") && "text", kinds.has("number") && "number"].filter(Boolean).join(" or ");
  refuse(path, `takes ".${name}" of a ${kind}`, {
    site,
    hint: `By variables.ts or the fixtures it is a ${kind}, which has no members to print: print it as a whole, or let it be an object there.`,
  });
  return REFUSED;
}
