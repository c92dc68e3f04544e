import { Parser } from "htmlparser2";
import { nearest } from "../../../text/nearest.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { showsCode, wordingsOf, type Wording } from "../../lib/texts.js";

export const brokenCharacters: BuiltInRule = {
  id: "broken-characters",
  severity: "warning",
  summary: "Text has characters from a wrong encoding, or an entity that is escaped twice or does not exist.",
  details:
    "Text has characters from a wrong encoding (`CafÃ©`, `itâ€™s`, `�`), or an entity that is escaped twice " +
    "(`&amp;nbsp;`) or does not exist (`&nbps;`).",
  why:
    "Recipients see it as written. It happens when UTF-8 is decoded as Windows-1252, or when text is escaped twice. Names " +
    "that HTML does not define are not entities ([the " +
    "list](https://html.spec.whatwg.org/multipage/named-characters.html)). Text in `<code>` or `<pre>` is not " +
    "checked.",
  fix: "Write the right letters, and save the file as UTF-8. Escape `&` as `&amp;` once.",
  examples: {
    wrong: ["<p>Caf‸Ã© Fern</p>", "<p>Tea ‸&amp;nbsp;and jam</p>", "<p>Tea ‸&nbps; and jam</p>"],
    right: ["<p>Café Fern</p>", "<p>Tea &amp; jam</p>", "<p><code>&amp;nbsp;</code></p>"],
  },
  *checkTemplate(checked) {
    for (const wording of wordingsOf(checked)) {
      const finding = misreadIn(wording) ?? entityIn(wording);
      if (finding && !(wording.element && showsCode(wording.element))) yield finding;
    }
  },
};

function misreadIn({ words, at }: Wording): Finding | undefined {
  const misread = MISREAD.exec(words)?.[0];
  if (misread === undefined) return undefined;
  const word = words.split(/\s+/).find((each) => each.includes(misread)) ?? misread;
  const message = `"${word}" was decoded with the wrong encoding.`;
  return { message, at: at(misread), hint: "Write the right letters, and save the file as UTF-8." };
}

/** A rule of its own checks the entities of the subject. */
function entityIn({ words, element, at }: Wording): Finding | undefined {
  for (const entity of element ? (words.match(ENTITY) ?? []) : []) {
    if (isEntity(entity))
      return {
        message: `${entity} is shown as text: its & is escaped twice.`,
        at: at(`&amp;${entity.slice(1)}`),
        hint: `Write \`${entity}\` in the source.`,
      };
    // Without a similar entity it may be a word, as in `R&D;`.
    const near = nearest(entity.slice(1, -1), COMMON);
    if (near !== undefined)
      return {
        message: `${entity} is shown as text: HTML has no such entity.`,
        at: at(entity),
        hint: `Did you mean &${near};?`,
      };
  }
  return undefined;
}

/** UTF-8 that was decoded as Windows-1252, and the replacement character. */
const MISREAD =
  /Ã[\u0080-\u00BF\u0152-\u0178\u2018-\u2122]|â€[\u0080-\u00BF\u0152-\u0178\u02DC\u2018-\u2122]|Â[\u00A0-\u00BF]|ï»¿|\uFFFD|(?:[ØÙ][\u0080-\u00BF\u0152-\u0178\u0192-\u02DC\u2018-\u2122]\s?){3}|(?:[ÐÑ][\u0080-\u00BF\u0152-\u0178\u0192-\u02DC\u2018-\u2122]\s?){3}/;

/** An entity in a string that is decoded already is shown as text. */
const ENTITY = /&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

function isEntity(entity: string): boolean {
  let text = "";
  const parser = new Parser({ ontext: (part) => (text += part) });
  parser.end(entity);
  return text !== entity && !text.endsWith(";");
}

/** The entities that emails use. */
const COMMON: readonly string[] =
  "nbsp amp lt gt quot apos copy reg trade mdash ndash lsquo rsquo ldquo rdquo laquo raquo hellip bull middot euro pound yen cent deg times rarr larr shy zwnj zwj auml ouml uuml szlig eacute egrave agrave ccedil ntilde".split(
    " ",
  );
