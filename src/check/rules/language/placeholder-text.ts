import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { wordingsOf } from "../../lib/texts.js";

export const placeholderText: BuiltInRule = {
  id: "placeholder-text",
  severity: "warning",
  summary: "Placeholder text was never replaced, such as `lorem ipsum`, `TODO` or `[Name]`.",
  details:
    "Placeholder text was never replaced: `lorem ipsum`, `TODO:`, `[Name]`, `your text here`, `XXXX`, `TBD`; or " +
    "what a program prints for a missing value: `undefined`, `[object Object]`, `NaN`, also in a value that " +
    "`derive` returns for a fixture.",
  why:
    "Recipients see it as written. The rule accepts `XXXX 1234` and `XXXX XXXX {{last4}}`, which hide the start of " +
    'a number, and `undefined` in a sentence about it: "is undefined", "undefined behaviour". It also checks ' +
    "the subject, alt texts and a hand-written text body with its parts.",
  fix: "Write the real text, or a tag.",
  examples: {
    wrong: ["<p>‸Lorem ipsum dolor sit amet.</p>", "<p>Hello ‸[Name],</p>", "<p>Your total: ‸[object Object]</p>"],
    right: ["<p>Paid with XXXX 4242.</p>", "<p>A result of 0/0 is undefined.</p>"],
  },
  *checkTemplate(checked) {
    for (const { words, at } of wordingsOf(checked)) {
      const placeholder = PATTERNS.find((pattern) => pattern.test(words))?.exec(words)?.[0];
      if (placeholder !== undefined)
        yield {
          message: `"${placeholder}" looks like a placeholder that was never replaced.`,
          cause: "Text looks like a placeholder that was never replaced.",
          at: at(placeholder),
          hint: "Write the real text.",
        };
    }
    yield* inDerived(checked);
  },
};

/** Strings that `derive` makes from a value that a fixture lacks. Only the first is reported. */
function* inDerived({ template, compiled }: CheckedTemplate): Generator<Finding> {
  const { variablesFile: file } = template;
  if (file === undefined) return;
  for (const { name, variables } of compiled.fixtures)
    for (const key of Object.keys(compiled.contract.derived?.properties ?? {})) {
      const value = stringsIn(variables[key]).find((each) => each.length <= LONGEST && MISSING_VALUE.test(each));
      if (value === undefined) continue;
      const message = `With the fixture "${name}", derive returns "${value}" as "${key}": a value in it is missing.`;
      yield { message, at: { file }, hint: "Handle the missing value in derive." };
      return;
    }
}

const LONGEST = 400;

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** What programs print for a missing value, unless a sentence is about it. */
const MISSING_VALUE =
  /^undefined$|(?<!\b(?:an?|is|are|remains?|left|stays?)\s)(?<=\s)undefined(?![\w"'`”’»-]|\.\w|\s+(?:is|or|means|and|behaviou?r|variable|function|method|index|offset|key|property|reference|symbol|constant|column|array|value)\b)|\[object \w+\]|(?<![\w-])NaN(?![\w-])|\bInvalid Date\b/;

const PATTERNS: readonly RegExp[] = [
  /\blorem ipsum(?: dolor(?: sit amet)?)?|\bdolor sit amet\b/i,
  /\bFIXME\b|\bTODO(?=\s*[:(\uFFFC])|^TODO\b(?=$|\s+[a-z])|\bTBD\b/,
  /(?<!\b(?:your|the|an?|my|our|this|new|each) )(?<=[a-z] )TODO(?=[.,;!?]|$)/,
  // Not `xxxx-1234`, `XXXX XXXX 1234` or `XXXX {{last4}}`, which hide the start of a number, nor kisses at the end.
  /^x{3,}$|(?<![\w-])(?:X{3,}|x{4,})(?![\w-]|(?:[\s-]*[Xx]{2,})*[\s-]*[\d\uFFFC])/,
  /(?<!\[)\[\s*(?:(?:your|my|the|first|last|full|company|customer|user|client|recipient|sender|product|order|insert|enter|add|link)\b[^[\]\n]{0,40}|name|address|e-?mail|phone|number|date|title|city|country|url|amount|price|image|logo|text|button)\s*\](?!\])/i,
  /<(?:your|first|last|full|company|customer|user|insert)[ _-]?[\w -]{0,40}>|<(?:name|email|date|amount)>/i,
  /\b(?:your|insert|enter|add|put|some)(?: \w+){0,2} (?:text|name|title|headline|content|copy|message|image|logo|link|company)(?: goes)? here\b/i,
  /\b(?:pre-?header|preview|heading|headline|body|footer|copy|description|subtitle|button|link) (?:text|copy|content)? ?goes here\b/i,
  /\b(?:placeholder|dummy|sample|example|blind|filler) (?:text|copy|content|image|heading|headline)\b/i,
  /^(?:placeholder|untitled(?: document)?|heading|headline|subheading|button text|subject|tbd|tba|foo|bar|test|asdf|asd|qwerty|test test)$/i,
  MISSING_VALUE,
  /(?<=\uFFFC)(?:undefined|NaN)(?![\w-])|(?<![\w-])(?:undefined|NaN)(?=\uFFFC)/,
  /^null$|\b(?:dear|hello|hey|hi|welcome),? (?:undefined|null)\b|[#$€£](?:undefined|null)\b|(?:\w:|\b(?:order|invoice) (?:no\.?|number)?) ?(?:undefined|null)(?=$|[.,;!)])/i,
  /\bfoo ?bar\b|\basdf(?:gh|asdf)?\b|\bblah blah\b/i,
];
