import { scanMarkup } from "../../text/markup/scan.js";
import type { TagTable } from "../../mustache/tokens.js";
import { roleOf, tokensIn } from "../sections.js";
import { type MappedText, MappedTextBuilder } from "./mapped-text.js";

/**
 * Inserts a space after an element's name if a section with attributes follows directly: in
 * `<tr{{#vip}} class="vip"{{/vip}}>`, the token would be read as a part of the name.
 */
export function endNames(mapped: MappedText, tags: TagTable): MappedText {
  const { text } = mapped;
  const builder = new MappedTextBuilder();
  let from = 0;
  for (const piece of scanMarkup(text).pieces) {
    if (piece.kind !== "open" || !piece.name.includes("\uE000")) continue;
    const [token] = tokensIn(piece.name);
    if (!token || roleOf(tags[token.tag]) !== "opens") continue;
    const at = piece.start + "<".length + token.offset;
    // A section that continues the name decides which element it is.
    if (!/^\uE000\d+\uE001\s/.test(text.slice(at, piece.end))) continue;
    builder.appendPart(mapped, from, at);
    builder.appendWritten(" ", mapped, at);
    from = at;
  }
  builder.appendPart(mapped, from);
  return from === 0 ? mapped : builder.build();
}
