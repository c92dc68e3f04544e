import type { BuiltInRule } from "../../rule.js";
import { withoutTags, wordingsOf } from "../../lib/texts.js";

/** Inside a word of Latin, Greek or Cyrillic letters; other scripts need some of these characters. */
const WITHIN =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]([\u200B-\u200D\u2060-\u2064\uFEFF\u180E])[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** These reverse the direction of text. */
const OVERRIDE = /[\u202D\u202E]/;
/** Any of the above. Few strings contain one, so this is tested first. */
const INVISIBLE = /[\u200B-\u200D\u2060-\u2064\uFEFF\u180E\u202D\u202E]/;

export const invisibleCharacters: BuiltInRule = {
  id: "invisible-characters",
  severity: "warning",
  summary: "A word contains invisible characters, or text contains characters that reverse its direction.",
  details:
    "A word contains invisible characters, or text contains characters that reverse its direction (U+202D, U+202E).",
  why:
    "Spammers hide words from filters this way, so filters look for it: " +
    "[SpamAssassin](https://github.com/apache/spamassassin/tree/trunk/rules) with `UNICODE_OBFU_ZW_MANY`. Such " +
    "characters slip in with copied text. Joiners that scripts such as Arabic, Devanagari or Thai need, and soft " +
    "hyphens, are not reported.",
  fix: "Retype the word.",
  examples: {
    wrong: ["<p>Your ‸pass\u200bword has changed.</p>"],
    right: ["<p>Your password has changed.</p>", "<p>Your ship&shy;ping details</p>"],
  },
  *checkTemplate(checked) {
    for (const { text, at } of wordingsOf(checked)) {
      if (!INVISIBLE.test(text)) continue;
      const words = withoutTags(text);
      const found = WITHIN.exec(words)?.[1] ?? OVERRIDE.exec(words)?.[0];
      if (found === undefined || isForLayout(words, found)) continue;
      const word = wordsOf(words).find((each) => each.includes(found)) ?? words;
      const code = found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
      yield {
        message: `"${word.slice(0, 40)}" contains the invisible character U+${code}, which spam filters treat as an attempt to deceive them.`,
        at: at(word),
        hint: "Remove it from the word.",
      };
    }
  },
};

/** Splits at spaces, except at U+FEFF, which `\s` includes. */
function wordsOf(text: string): string[] {
  return text.split(/[^\S\uFEFF]+/);
}

/** A single one in a word prevents automatic links on phones, or a line break. */
function isForLayout(words: string, found: string): boolean {
  return FOR_LAYOUT.includes(found) && wordsOf(words).every((word) => word.split(found).length <= 2);
}

const FOR_LAYOUT = "\u200C\u200D\u2060";
