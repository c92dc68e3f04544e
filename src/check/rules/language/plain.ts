import { replaceTags } from "../../../mustache/scan.js";
import type { EmailElement } from "../../document/nodes.js";

/**
 * The text with U+FFFC in the place of each Mustache tag, a character that no pattern for words matches.
 *
 * @example
 * withoutTags("Hi {{name}}!"); // "Hi \uFFFC!"
 */
export function withoutTags(text: string): string {
  return replaceTags(text, () => "\uFFFC");
}

/** Whether an element shows code, where any text may be intended. */
export function showsCode(element: EmailElement): boolean {
  return [element, ...element.ancestors, ...element.descendants].some(({ name }) => CODE.has(name));
}

const CODE: ReadonlySet<string> = new Set(["code", "pre", "kbd", "samp"]);
