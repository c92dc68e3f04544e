import type { Finding, Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { ENTITY, isEntity, nearestEntity } from "./entities.js";
import { showsCode, withoutTags } from "./plain.js";
import { wordingsOf } from "./wordings.js";

export const brokenCharacters: Rule = {
  id: "broken-characters",
  summary:
    "A text has letters that were read in the wrong encoding, or an entity that was escaped twice or does not exist.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      wordingsOf(checked).flatMap(({ text, element, at }): Finding[] => {
        const words = withoutTags(text);
        if (!MISREAD.test(words) && !words.includes("&")) return [];
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
        const entity = element ? shownEntity(words) : undefined;
        if (entity === undefined) return [];
        if (isEntity(entity))
          return [
            {
              message: `${entity} is shown as it is: its & is written as &amp;, so that it is escaped twice.`,
              at: at(`&amp;${entity.slice(1)}`),
              hint: `Write \`${entity}\` in the source.`,
            },
          ];
        const near = nearestEntity(entity);
        return [
          {
            message: `${entity} is shown as it is: html has no entity of this name.`,
            at: at(entity),
            hint: near === undefined ? "Write the letter that is meant." : `Did you mean ${near}?`,
          },
        ];
      }),
    ),
};

/** What UTF-8 looks like to whoever takes it for Windows-1252, and what stands for a letter that could not be read. */
export const MISREAD =
  /Ã[\u0080-\u00BF\u0152-\u0178\u2018-\u2122]|â€[\u0080-\u00BF\u0152-\u0178\u02DC\u2018-\u2122]|Â[\u00A0-\u00BF]|ï»¿|\uFFFD|(?:[ØÙ][\u0080-\u00BF\u0152-\u0178\u0192-\u02DC\u2018-\u2122]\s?){3}|(?:[ÐÑ][\u0080-\u00BF\u0152-\u0178\u0192-\u02DC\u2018-\u2122]\s?){3}/;
/** The first; what looks like one after capitals, as in `R&D;`, may be a word. */
function shownEntity(words: string): string | undefined {
  return Array.from(words.matchAll(ENTITY)).find(
    ({ 0: entity, index }) =>
      isEntity(entity) || nearestEntity(entity) !== undefined || !/[A-Z]$/.test(words.slice(0, index)),
  )?.[0];
}

function wordWith(words: string, part: string): string {
  return words.split(/\s+/).find((word) => word.includes(part)) ?? part;
}
