import type { Finding, Rule } from "../../rule.js";
import { withoutTags } from "../language/plain.js";
import { wordingsOf } from "../language/wordings.js";

/** Within a word of Latin, Greek or Cyrillic letters; other scripts need some of them. */
const WITHIN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]([\u200B-\u200D\u2060-\u2064\uFEFF\u180E])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** They turn letters around. */
const OVERRIDE = /[\u202D\u202E]/;
/** All of these: few texts have one. */
const INVISIBLE = /[\u200B-\u200D\u2060-\u2064\uFEFF\u180E\u202D\u202E]/;

export const invisibleCharacters: Rule = {
  id: "invisible-characters",
  summary: "A word has invisible characters within it, or a text has characters that turn its letters around.",
  severity: "warning",
  checkTemplate: (checked) =>
    wordingsOf(checked).flatMap(({ text, at }): Finding[] => {
      if (!INVISIBLE.test(text)) return [];
      const words = withoutTags(text);
      const found = WITHIN.exec(words)?.[1] ?? OVERRIDE.exec(words)?.[0];
      if (found === undefined || isForLayout(words, found)) return [];
      const word = wordsOf(words).find((each) => each.includes(found)) ?? words;
      const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      return [
        {
          message: `"${word.slice(0, 40)}" has the invisible character U+${code} in it: filters take that for an attempt to deceive them.`,
          at: at(word),
          hint: "Write the word without it.",
        },
      ];
    }),
};

/** JavaScript takes U+FEFF for a space, too. */
function wordsOf(text: string): string[] {
  return text.split(/[^\S\uFEFF]+/);
}

/** One of these in a word keeps phones from making a link of it, or lines from breaking there. */
function isForLayout(words: string, found: string): boolean {
  return FOR_LAYOUT.includes(found) && wordsOf(words).every((word) => word.split(found).length <= 2);
}

const FOR_LAYOUT = "\u200C\u200D\u2060";
