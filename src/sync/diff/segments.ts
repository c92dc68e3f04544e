import type { ContentField } from "../content.js";

/**
 * Where a text is split for comparison: at its line ends. HTML is also split between tags and after style sheet rules,
 * because compilers often put everything on one line; always, not only in long lines, so that shared parts are split in
 * the same way in all templates.
 */
const cuts: Readonly<Record<ContentField, RegExp>> = {
  subject: /\n/,
  description: /\n/,
  text_body: /\n/,
  html_body: /\n|(?<=>)(?=[ \t]*<)|(?<=[^{}]\})(?=[^}\n])/,
};

/**
 * The pieces of a text that are compared as units, in order. In HTML, blank ones are ignored.
 *
 * @example
 * segmentsOf("html_body", "<tr><td>Total</td></tr>"); // ["<tr>", "<td>Total</td>", "</tr>"]
 */
export function segmentsOf(field: ContentField, text: string): string[] {
  const segments = text.replace(/\s+$/, "").split(cuts[field]);
  return field === "html_body" ? segments.filter((segment) => segment.trim() !== "") : segments;
}
