import { scanMarkup } from "../text/markup/scan.js";

const BRACE_AFTER_TAG = /(?<=\uE001)\}/g;

/** Entities are not decoded in these. */
const HOLDS_CODE: readonly string[] = ["style", "script"];

/**
 * Separates a closing brace from the tag before it: some engines refuse `{{color}}}`, and others read it as
 * `{{{color}}}`.
 *
 * @example
 * // with tokens in the place of the tags
 * separateBraces("<style>p{color:{{color}}}</style><p>({{name}}})"); // "<style>p{color:{{color}} }</style><p>({{name}}&#125;)"
 */
export function separateBraces(html: string): string {
  if (!html.includes("\uE001}")) return html;
  let separated = "";
  let containsCode = false;
  for (const piece of scanMarkup(html).pieces) {
    const brace = containsCode || piece.kind === "comment" ? " }" : "&#125;";
    separated += html.slice(piece.start, piece.end).replace(BRACE_AFTER_TAG, brace);
    containsCode = piece.kind === "open" && HOLDS_CODE.includes(piece.name);
  }
  return separated;
}

/**
 * The same for plain text, where there are no entities: an empty comment separates the brace.
 *
 * @example
 * separateBracesInText('{"name":"Ada","age":\uE0000\uE001}'); // '{"name":"Ada","age":\uE0000\uE001{{!}}}'
 */
export function separateBracesInText(text: string): string {
  return text.replace(BRACE_AFTER_TAG, "{{!}}}");
}
