import { Parser } from "htmlparser2";
import { nearest } from "../../../nearest.js";
import { onceEach } from "../../once-each.js";
import type { Finding, Rule } from "../../rule.js";
import { showsCode } from "./plain.js";
import { type Wording, wordingsOf } from "./wordings.js";

export const brokenCharacters: Rule = {
  id: "broken-characters",
  summary:
    "A text has letters that were read in the wrong encoding, or an entity that was escaped twice or does not exist.",
  severity: "warning",
  checkTemplate: (checked) => onceEach(wordingsOf(checked).flatMap(check)),
};

function check({ words, element, at }: Wording): Finding[] {
  const misread = MISREAD.exec(words)?.[0];
  // The subject's entities are the matter of a rule of its own.
  const entities = element ? (words.match(ENTITY) ?? []) : [];
  if ((misread === undefined && entities.length === 0) || (element && showsCode(element))) return [];
  if (misread !== undefined) {
    const word = words.split(/\s+/).find((each) => each.includes(misread)) ?? misread;
    return [
      {
        message: `"${word}" was read in another encoding than it was written in.`,
        at: at(misread),
        hint: "Write the letters that are meant, and save the file as UTF-8.",
      },
    ];
  }
  const shown = entities.flatMap((entity): Finding[] => {
    if (isEntity(entity))
      return [
        {
          message: `${entity} is shown as it is: its & is written as &amp;, so that it is escaped twice.`,
          at: at(`&amp;${entity.slice(1)}`),
          hint: `Write \`${entity}\` in the source.`,
        },
      ];
    // What is near to none, as in `R&D;`, may be a word.
    const near = nearest(entity.slice(1, -1), COMMON);
    if (near === undefined) return [];
    return [
      {
        message: `${entity} is shown as it is: html has no entity of this name.`,
        at: at(entity),
        hint: `Did you mean &${near};?`,
      },
    ];
  });
  return shown.slice(0, 1);
}

/** What UTF-8 looks like to whoever takes it for Windows-1252, and what stands for a letter that could not be read. */
const MISREAD =
  /Ã[\u0080-\u00BF\u0152-\u0178\u2018-\u2122]|â€[\u0080-\u00BF\u0152-\u0178\u02DC\u2018-\u2122]|Â[\u00A0-\u00BF]|ï»¿|\uFFFD|(?:[ØÙ][\u0080-\u00BF\u0152-\u0178\u0192-\u02DC\u2018-\u2122]\s?){3}|(?:[ÐÑ][\u0080-\u00BF\u0152-\u0178\u0192-\u02DC\u2018-\u2122]\s?){3}/;

/** What a decoded text still has of this form is shown as it is. */
const ENTITY = /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

function isEntity(entity: string): boolean {
  let text = "";
  const parser = new Parser({ ontext: (part) => (text += part) });
  parser.end(entity);
  return text !== entity && !text.endsWith(";");
}

/** Those that emails use. */
const COMMON: readonly string[] =
  "nbsp amp lt gt quot apos copy reg trade mdash ndash lsquo rsquo ldquo rdquo laquo raquo hellip bull middot euro pound yen cent deg times rarr larr shy zwnj zwj auml ouml uuml szlig eacute egrave agrave ccedil ntilde".split(
    " ",
  );
