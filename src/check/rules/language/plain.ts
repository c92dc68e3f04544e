import type { EmailElement } from "../../document/nodes.js";

/**
 * A text whose tags are one character each, U+FFFC: a letter of no language, which no pattern of words matches.
 *
 * @example
 * withoutTags("Hi {{name}}!"); // "Hi \uFFFC!"
 */
export function withoutTags(text: string): string {
  return text.includes("{{") ? text.replace(/\{\{[^]*?\}\}\}?/g, "\uFFFC") : text;
}

/** Whether a text shows code, which is meant as it is. */
export function showsCode(element: EmailElement): boolean {
  return [element, ...element.ancestors, ...element.descendants].some(({ name }) => CODE.has(name));
}

const CODE: ReadonlySet<string> = new Set(["code", "pre", "kbd", "samp"]);
