import { type Attribute, isConditionalComment, scanMarkup } from "../text/markup/scan.js";
import { TOKEN, type TagTable } from "../mustache/tokens.js";
import { roleOf } from "./sections.js";

/** Whether a value with a tag may lack double quotes: most bodies have none, and needn't be scanned. */
const CANDIDATE = /=\s*(?:'[^']*|[^\s"'>]*)\uE000/;

/**
 * Puts double quotes around every attribute value with a tag: all Mustache engines escape `"`, but not all escape `'`,
 * and none escapes a space, which would end an unquoted value.
 *
 * @example
 * quoteValues("<a href='{{url}}' title={{name}}>", tags); // '<a href="{{url}}" title="{{name}}">'
 */
export function quoteValues(html: string, tags: TagTable): string {
  if (!CANDIDATE.test(html)) return html;
  let quoted = "";
  let from = 0;
  const replace = (start: number, end: number, by: string) => {
    quoted += html.slice(from, start) + by;
    from = end;
  };
  for (const piece of scanMarkup(html).pieces) {
    if (piece.kind === "comment") {
      const [, start = "", inner = "", end = ""] = BLOCK.exec(html.slice(piece.start, piece.end)) ?? [];
      if (inner !== "" && isConditionalComment(start))
        replace(piece.start, piece.end, start + quoteValues(inner, tags) + end);
    }
    if (piece.kind !== "open") continue;
    for (const attribute of piece.attributes) {
      const quote = html.charAt(attribute.valueStart - 1);
      if (quote === '"' || attribute.value.search(TOKEN) < 0) continue;
      const isQuoted = quote === "'";
      const value = isQuoted ? attribute.value : wholeValue(attribute, tags);
      if (value.search(TOKEN) < 0) continue;
      const start = attribute.valueStart - Number(isQuoted);
      const end = attribute.valueStart + value.length + Number(isQuoted);
      replace(start, end, `"${value.replaceAll('"', "&quot;")}"`);
    }
  }
  return quoted + html.slice(from);
}

const BLOCK = /^(<!--\[if[^\]]*\]>)(?!<!--)([^]*)(<!\[endif\]-->)$/;

/** An unquoted value, up to the first tag of a section that isn't entirely in it: `{{#wide}}colspan={{n}}{{/wide}}`. */
function wholeValue({ value }: Attribute, tags: TagTable): string {
  const open: number[] = [];
  for (const { 1: number, index } of value.matchAll(TOKEN)) {
    const role = roleOf(tags[Number(number)]);
    if (role === "opens") open.push(index);
    else if (role === "closes" && open.pop() === undefined) return value.slice(0, index);
  }
  return value.slice(0, open[0]);
}
