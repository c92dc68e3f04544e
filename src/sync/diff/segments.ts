import type { ContentField } from "../content.js";

/**
 * Where a text is cut before it is compared: at its line ends. Html is cut between tags and behind the rules of a style
 * sheet, too, because compilers often put all of it in one line; everywhere, not in long lines only, so that what
 * templates share is cut alike in all of them.
 */
const cuts: Readonly<Record<ContentField, RegExp>> = {
  subject: /\n/,
  description: /\n/,
  text_body: /\n/,
  html_body: /\n|(?<=>)(?=[ \t]*<)|(?<=[^{}]\})(?=[^}\n])/,
};

/**
 * The pieces of a text that are compared as wholes, in order. In html, blank ones don't count.
 *
 * @example
 * segmentsOf("html_body", "<tr><td>Total</td></tr>"); // ["<tr>", "<td>Total</td>", "</tr>"]
 */
export function segmentsOf(field: ContentField, text: string): string[] {
  const segments = text.replace(/\s+$/, "").split(cuts[field]);
  return field === "html_body" ? segments.filter((segment) => segment.trim() !== "") : segments;
}
