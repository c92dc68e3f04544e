import { TOKEN, type TagTable } from "../../mustache/tokens.js";
import type { SourceFile } from "../../template/template.js";
import { type MappedText, MappedTextBuilder } from "./mapped-text.js";

/** How much of a text must be the same for it to count as found again after something was dropped. */
const ANCHOR_LENGTH = 40;

/**
 * Maps a tokenised text back to the file that it came from: the tags say where they were, and what is between them is
 * the same in both, but for dropped comments.
 */
export function align(tokenised: string, source: SourceFile, tags: TagTable): MappedText {
  const builder = new MappedTextBuilder();
  const lineStarts = [0, ...Array.from(source.text.matchAll(/\n/g), (match) => match.index + 1)];
  let from = 0;
  let written = 0;

  const appendLiteral = (to: number, writtenEnd: number) => {
    while (from < to) {
      const length = commonLength(tokenised, from, to, source.text, written);
      if (length === 0) {
        const anchor = tokenised.slice(from, Math.min(to, from + ANCHOR_LENGTH));
        const found = source.text.indexOf(anchor, written);
        written = found < 0 || found >= writtenEnd ? writtenEnd - (to - from) : found;
        builder.append(anchor, source, written);
        from += anchor.length;
        written += anchor.length;
      } else {
        builder.append(tokenised.slice(from, from + length), source, written);
        from += length;
        written += length;
      }
    }
  };

  for (const match of tokenised.matchAll(TOKEN)) {
    const tag = tags[Number(match[1])];
    const start = tag?.at?.line === undefined ? written : (lineStarts[tag.at.line - 1] ?? 0) + (tag.at.column ?? 1) - 1;
    appendLiteral(match.index, start);
    builder.append(match[0], source, start);
    from = match.index + match[0].length;
    written = start + (tag?.text.length ?? 0);
  }
  appendLiteral(tokenised.length, source.text.length);
  if (tokenised === "") builder.append("", source, 0);
  return builder.build();
}

function commonLength(a: string, start: number, end: number, b: string, from: number): number {
  let length = 0;
  while (start + length < end && a.charCodeAt(start + length) === b.charCodeAt(from + length)) length += 1;
  return length;
}
