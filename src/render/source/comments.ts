import { isConditionalComment, scanMarkup } from "../../text/markup/scan.js";
import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { halfSection, roleOf, tokensIn } from "../sections.js";
import { chainNote } from "./chain.js";
import { type MappedText, MappedTextBuilder } from "./mapped-text.js";

/**
 * Unwraps section tags in comments that contain nothing else, as in `<!-- {{#items}} -->`: many write them so because their
 * editors don't accept bare tags, and Mustache ignores comments. One end of a section in any other comment is an error:
 * compiling would drop it together with the comment, or the text body would lack it.
 */
export function openComments(mapped: MappedText, tags: TagTable, findings: Findings): MappedText {
  // Sections without a partner have been reported.
  if (findings.has("mustache-syntax")) return mapped;
  const builder = new MappedTextBuilder();
  let from = 0;
  for (const { kind, start, end } of scanMarkup(mapped.text).pieces) {
    if (kind !== "comment") continue;
    const comment = mapped.text.slice(start, end);
    const numbers = tokensIn(comment).map(({ tag }) => tag);
    const half = tags[halfSection(numbers, tags) ?? -1];
    if (!half) continue;
    if (BLANK_COMMENT.test(comment.replace(TOKEN, "")) && numbers.every((tag) => roleOf(tags[tag]) !== "prints")) {
      builder.appendPart(mapped, from, start);
      for (const { 0: token, index } of comment.matchAll(TOKEN))
        builder.appendPart(mapped, start + index, start + index + token.length);
      from = end;
    } else {
      const what = isConditionalComment(comment) ? "conditional comment" : "comment";
      const message = `This ${what} contains only one end of the section ${half.text}${chainNote(mapped.chainAt(start))}.`;
      const hint = "Write the section's tag before or after the comment, or alone in a separate comment.";
      findings.error("markup-lost", message, half.at ?? mapped.positionAt(start), hint);
    }
  }
  builder.appendPart(mapped, from);
  return from === 0 ? mapped : builder.build();
}

const BLANK_COMMENT = /^<!--\s*-->$/;
