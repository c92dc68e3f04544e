import type { Rule } from "../../rule.js";
import { onceEach } from "../../once-each.js";
import { withoutTags } from "./plain.js";
import { allWords, wordingsOf } from "./wordings.js";

export const placeholderText: Rule = {
  id: "placeholder-text",
  summary: "A text is a placeholder, such as `lorem ipsum`, `TODO` or `[Name]`.",
  severity: "warning",
  checkTemplate(checked) {
    if (!IN_LINES.some((pattern) => pattern.test(allWords(checked)))) return [];
    return onceEach(
      wordingsOf(checked).flatMap(({ text, at }) => {
        const found = placeholderIn(withoutTags(text));
        if (found === undefined) return [];
        return [
          {
            message: `"${found}" looks like a placeholder that was never replaced.`,
            at: at(found),
            hint: "Write what a reader should read there.",
          },
        ];
      }),
    );
  },
};

const PATTERNS: readonly RegExp[] = [
  /\blorem ipsum(?: dolor(?: sit amet)?)?|\bdolor sit amet\b/i,
  /\bFIXME\b|\bTODO(?=\s*[:(])|^TODO\b(?=$|\s+[a-z])/,
  // Not `xxxx-1234` and `XXXX 1234`, which hide a number's beginning, nor kisses at the end.
  /^x{3,}$|(?<![\w-])(?:X{3,}|x{4,})(?![\w-]|[\sXx]*[\d\uFFFC])/,
  /(?<!\[)\[\s*(?:(?:your|my|the|first|last|full|company|customer|user|client|recipient|sender|product|order|insert|enter|add|link)\b[^[\]\n]{0,40}|name|address|e-?mail|phone|number|date|title|city|country|url|amount|price|image|logo|text|button)\s*\](?!\])/i,
  /<(?:your|first|last|full|company|customer|user|insert)[ _-]?[\w -]{0,40}>|<(?:name|email|date|amount)>/i,
  /\b(?:your|insert|enter|add|put|some)(?: \w+){0,2} (?:text|name|title|headline|content|copy|message|image|logo|link|company)(?: goes)? here\b/i,
  /\b(?:placeholder|dummy|sample|example|blind|filler) (?:text|copy|content|image|heading|headline)\b/i,
  /^(?:placeholder|untitled|heading|headline|subheading|button text|subject|tbd|tba|foo|bar|test|asdf|asd|qwerty|test test)$/i,
  // What programs print for what is not there.
  /\[object \w+\]|(?<![\w-])NaN(?![\w-])|\bInvalid Date\b/,
  /^(?:undefined|null)$|\b(?:dear|hello|hey|hi|welcome),? (?:undefined|null)\b/i,
  /\bfoo ?bar\b|\basdf(?:gh|asdf)?\b|\bblah blah\b/i,
];

/** The same, where each text is a line of its own. */
const IN_LINES = PATTERNS.map(({ source, flags }) => new RegExp(source, `${flags}m`));

function placeholderIn(text: string): string | undefined {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
