import { scanMarkup } from "../../markup/scan.js";
import type { TagTable } from "../../mustache/tokens.js";
import { roleOf, tokensIn } from "../sections.js";
import { type MappedText, MappedTextBuilder } from "./mapped-text.js";

/**
 * Ends an element's name where a section with its attributes begins: `<tr{{#vip}} class="vip"{{/vip}}>` is filled as
 * `<tr{{#vip}}…` is meant, but read as an element of another name.
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
    // A section whose text goes on with the name says which element it is.
    if (!/^\uE000\d+\uE001\s/.test(text.slice(at, piece.end))) continue;
    builder.appendPart(mapped, from, at);
    builder.appendWritten(" ", mapped, at);
    from = at;
  }
  builder.appendPart(mapped, from);
  return from === 0 ? mapped : builder.build();
}
