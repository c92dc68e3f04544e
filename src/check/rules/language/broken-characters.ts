import type { Finding, Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { showsCode, withoutTags } from "./plain.js";
import { type Wording, wordingsOf } from "./wordings.js";

export const brokenCharacters: Rule = {
  id: "broken-characters",
  summary: "A text has letters that were read in the wrong encoding, or an entity that readers see as it is written.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      wordingsOf(checked).flatMap(({ text, element, at }): Finding[] => {
        const words = withoutTags(text);
        if (!MISREAD.test(words) && !NAMED.test(words) && !ENTITY.test(words)) return [];
        if (element && showsCode(element)) return [];
        const misread = MISREAD.exec(words)?.[0];
        if (misread !== undefined)
          return [
            {
              message: `"${wordWith(words, misread)}" was read in another encoding than it was written in.`,
              at: at(misread),
              hint: "Write the letters that are meant, and save the file as UTF-8.",
            },
          ];
        // The subject's entities are the matter of a rule of its own.
        const entity = element ? ENTITY.exec(words)?.[0] : undefined;
        if (entity === undefined) {
          const named = element ? NAMED.exec(words)?.[0] : undefined;
          return named === undefined ? [] : [unknownEntity(named, at)];
        }
        return [
          {
            message: `${entity} is shown as it is: its & is written as &amp;, so that it is escaped twice.`,
            at: at(`&amp;${entity.slice(1)}`),
            hint: `Write ${entity} in the source.`,
          },
        ];
      }),
    ),
};

function unknownEntity(entity: string, at: Wording["at"]): Finding {
  return {
    message: `${entity} is shown as it is: html has no such entity, or its & is written as &amp;.`,
    at: at(entity),
    hint: `Mend the name, as in &nbsp;, or write the letter that is meant.`,
  };
}

/** What UTF-8 looks like to whoever takes it for Windows-1252, and what stands for a letter that could not be read. */
const MISREAD =
  /Ã[\u0080-\u00BF\u0152-\u0178\u2018-\u2122]|â€[\u0080-\u00BF\u0152-\u0178\u02DC\u2018-\u2122]|Â[\u00A0-\u00BF]|ï»¿|\uFFFD/;
const ENTITY = /&(?:nbsp|amp|lt|gt|quot|apos|copy|mdash|ndash|rsquo|lsquo|hellip|zwnj|#\d{2,5}|#x[0-9a-f]{2,5});/i;
/** What is left of these once a text is decoded. */
const NAMED = /&[a-z]{2,8}[1-4]{0,2};/i;

function wordWith(words: string, part: string): string {
  return words.split(/\s+/).find((word) => word.includes(part)) ?? part;
}
