import { type OpenTag, isConditionalComment, type Piece, scanMarkup } from "../text/markup/scan.js";
import { tokensIn } from "../mustache/tokens.js";

const KEEPS_WHITESPACE: readonly string[] = ["pre", "textarea", "script"];

// Not `\s`: a no-break space is content.
const AROUND_NEWLINE = /[ \t]*[\n\r\f][ \t\n\r\f]*/g;
const SPACE = /[ \t\n\r\f]+/g;

/** Whether a tag may contain anything to tidy. */
const UNTIDY = /[\t\n\r\f]| {2}| >$/;

/** CSS that makes line breaks visible; it may apply to any element, so then all text stays unchanged. */
const SHOWS_WHITESPACE = /white-space(?:-collapse)?\s*:\s*(?:pre|break|preserve)/i;

/**
 * Removes comments and indentation. Nothing is decoded, no quotes or tags are dropped, and conditional comments stay:
 * email clients show the same.
 */
export function tidy(html: string): string {
  const keepsText = SHOWS_WHITESPACE.test(html);
  const kept: string[] = [];
  let preformatted = 0;
  let endsLine = true;
  const keep = (text: string) => {
    const next = endsLine && preformatted === 0 && !keepsText && text.startsWith("\n") ? text.slice(1) : text;
    if (next === "") return;
    kept.push(next);
    endsLine = next.endsWith("\n");
  };
  for (const piece of scanMarkup(html).pieces) {
    const text = html.slice(piece.start, piece.end);
    const changesDepth = "name" in piece && KEEPS_WHITESPACE.includes(piece.name) && !isEmpty(piece);
    if (piece.kind === "close" && changesDepth) preformatted -= 1;
    if (piece.kind === "open") keep(tidyTag(piece, html));
    else if (piece.kind !== "comment") keep(preformatted > 0 || keepsText ? text : text.replace(AROUND_NEWLINE, "\n"));
    else if (isConditionalComment(text)) keep(text.replace(AROUND_NEWLINE, "\n"));
    if (piece.kind === "open" && changesDepth) preformatted += 1;
  }
  return kept.join("").trim();
}

/** The numbers of the tags that `tidy` keeps: those outside comments. */
export function tagsOutsideComments(html: string): number[] {
  return scanMarkup(html).pieces.flatMap((piece) => {
    const text = html.slice(piece.start, piece.end);
    if (piece.kind === "comment" && !isConditionalComment(text)) return [];
    return tokensIn(text).map(({ tag }) => tag);
  });
}

function tidyTag(tag: OpenTag, html: string): string {
  const written = html.slice(tag.start, tag.end);
  if (!UNTIDY.test(written)) return written;
  let tidied = "";
  let from = tag.start;
  for (const { value, valueStart } of tag.attributes) {
    tidied += html.slice(from, valueStart).replace(SPACE, " ") + value;
    from = valueStart + value.length;
  }
  return tidied + html.slice(from, tag.end).replace(SPACE, " ").replace(/ >$/, ">");
}

function isEmpty(piece: Piece): boolean {
  return piece.kind === "open" && piece.selfClosing;
}
