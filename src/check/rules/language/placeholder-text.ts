import { positionAt } from "../../../position.js";
import { onceEach } from "../../once-each.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { preheaderOf } from "../subject/preheader.js";
import { withoutTags } from "./plain.js";
import { allWords, subjectOf, type Wording, wordingsOf } from "./wordings.js";

export const placeholderText: Rule = {
  id: "placeholder-text",
  summary: "A text is a placeholder, such as `lorem ipsum`, `TODO` or `[Name]`.",
  severity: "warning",
  checkTemplate(checked) {
    const inText = IN_LINES.some((pattern) => pattern.test(allWords(checked))) ? wordingsOf(checked) : [];
    return onceEach([
      ...inText.flatMap((wording) => check(wording, PATTERNS)),
      ...(isToDo(checked) ? wordingsOf(checked).flatMap((wording) => check(wording, [TO_DO])) : []),
      ...inValues(checked),
      ...titlesOf(checked).flatMap((wording) => check(wording, [TITLE])),
      ...headlinesOf(checked).flatMap((wording) => check(wording, [missingValue(checked)])),
    ]);
  },
};

function check({ text, at }: Wording, patterns: readonly RegExp[]): Finding[] {
  const found = placeholderIn(withoutTags(text), patterns);
  if (found === undefined) return [];
  return [
    {
      message: `"${found}" looks like a placeholder that was never replaced.`,
      cause: "A text looks like a placeholder that was never replaced.",
      at: at(found),
      hint: "Write what a reader should read there.",
    },
  ];
}

/** What a text that the fixtures have, or that `derive` makes of them, says in the place of a value. */
function inValues({ template, compiled }: CheckedTemplate): Finding[] {
  const hint = "Give it a value, or let the template ask whether it is there.";
  const own = template.fixtures.flatMap(({ source, variables }) =>
    textsIn(variables).flatMap((value): Finding[] => {
      const found = programmed(value);
      if (found === undefined) return [];
      const at = { file: source.file, ...positionAt(source.text, Math.max(0, source.text.indexOf(found))) };
      return [{ message: `"${found}" in "${value}" looks like what a program prints for a missing value.`, at, hint }];
    }),
  );
  const derived = Object.keys(compiled.contract.derived?.properties ?? {});
  const made = compiled.fixtures.flatMap(({ name, variables }) =>
    derived.flatMap((key) =>
      textsIn(variables[key]).flatMap((value): Finding[] => {
        if (programmed(value) === undefined || template.variablesFile === undefined) return [];
        const message = `With the fixture "${name}", derive makes "${value}" of "${key}": a value is missing in it.`;
        return [{ message, at: { file: template.variablesFile }, hint: "Let derive ask whether it is there." }];
      }),
    ),
  );
  return [...own, ...made.slice(0, 1)];
}

function programmed(value: string): string | undefined {
  return value.length > LONGEST ? undefined : PROGRAMMED.exec(value)?.[0].trim();
}

const LONGEST = 400;

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** What an inbox shows of a mail, where nothing else is found in it. */
function headlinesOf(checked: CheckedTemplate): Wording[] {
  const preheader = preheaderOf(checked.document);
  return [subjectOf(checked), ...(preheader ? [preheader] : [])].filter(
    ({ text }) => placeholderIn(withoutTags(text), PATTERNS) === undefined,
  );
}

function titlesOf({ document }: CheckedTemplate): Wording[] {
  return document
    .named("title")
    .flatMap(({ children }) => children)
    .filter((child) => child.kind === "text")
    .map((child) => ({ text: child.text.trim(), at: (part) => child.at(part) }));
}

/** What editors write into a new page. */
const TITLE = /^(?:untitled(?: document| page| email|[- ]?\d*)|(?:new )?document|page title|title)$/i;

/** What programs print for what is not there; in a text of many words it may be meant as it is. */
function missingValue({ document }: CheckedTemplate): RegExp {
  // In some languages, null is a number.
  const isNumber = /^(?:de|da|nb|nn|no)\b/i.test(document.first("html")?.attribute("lang") ?? "");
  return isNumber ? /(?<![\w-])undefined(?![\w-])/ : /(?<![\w-])(?:undefined|null)(?![\w-])/;
}

/** Where no sentence speaks of it. */
const UNDEFINED =
  /(?<!\b(?:an?|is|are|remains?|left|stays?)\s)(?<![\w"'`“‘«.-])(?<=\s)undefined(?![\w"'`”’»-]|\.\w|\s+(?:is|or|means|and|behaviou?r|variable|function|method|index|offset|key|property|reference|symbol|constant|column|array|value)\b)/;

/** The same in a value that has other words, or that is nothing else. */
const PROGRAMMED = new RegExp(
  `${UNDEFINED.source}|^undefined$|\\[object \\w+\\]|(?<![\\w-])NaN(?![\\w-])|\\bInvalid Date\\b`,
);

/** At a sentence's end, where it is no word of the language: in Spanish and its like it means "everything". */
const TO_DO = /(?<=\p{Ll}\s)(?<!\b(?:your|the|an?|my|our|this|new|each)\s)TODO(?=[.,;!?]|$)/mu;

function isToDo(checked: CheckedTemplate): boolean {
  const language = checked.document.first("html")?.attribute("lang") ?? "";
  return !/^(?:es|pt|gl|ca|ast|it)\b/i.test(language) && TO_DO.test(allWords(checked));
}

const PATTERNS: readonly RegExp[] = [
  /\blorem ipsum(?: dolor(?: sit amet)?)?|\bdolor sit amet\b/i,
  /\bFIXME\b|\bTODO(?=\s*[:(\uFFFC])|^TODO\b(?=$|\s+[a-z])|\bTBD\b/,
  // Not `xxxx-1234`, `XXXX XXXX 1234` and `XXXX {{last4}}`, which hide a number's beginning, nor kisses at the end.
  /^x{3,}$|(?<![\w-])(?:X{3,}|x{4,})(?![\w-]|(?:[\s-]*[Xx]{2,})*[\s-]*[\d\uFFFC])/,
  /(?<!\[)\[\s*(?:(?:your|my|the|first|last|full|company|customer|user|client|recipient|sender|product|order|insert|enter|add|link)\b[^[\]\n]{0,40}|name|address|e-?mail|phone|number|date|title|city|country|url|amount|price|image|logo|text|button)\s*\](?!\])/i,
  /<(?:your|first|last|full|company|customer|user|insert)[ _-]?[\w -]{0,40}>|<(?:name|email|date|amount)>/i,
  /\b(?:your|insert|enter|add|put|some)(?: \w+){0,2} (?:text|name|title|headline|content|copy|message|image|logo|link|company)(?: goes)? here\b/i,
  /\b(?:pre-?header|preview|heading|headline|body|footer|copy|description|subtitle|button|link) (?:text|copy|content)? ?goes here\b/i,
  /\b(?:placeholder|dummy|sample|example|blind|filler) (?:text|copy|content|image|heading|headline)\b/i,
  /^(?:placeholder|untitled(?: document)?|heading|headline|subheading|button text|subject|tbd|tba|foo|bar|test|asdf|asd|qwerty|test test)$/i,
  // What programs print for what is not there.
  UNDEFINED,
  /(?<=\uFFFC)(?:undefined|NaN)(?![\w-])|(?<![\w-])(?:undefined|NaN)(?=\uFFFC)/,
  /\[object \w+\]|(?<![\w-])NaN(?![\w-])|\bInvalid Date\b/,
  /^(?:undefined|null)$|\b(?:dear|hello|hey|hi|welcome),? (?:undefined|null)\b|[#$€£](?:undefined|null)\b|(?:\w:|\b(?:order|invoice) (?:no\.?|number)?) ?(?:undefined|null)(?=$|[.,;!)])/i,
  /\bfoo ?bar\b|\basdf(?:gh|asdf)?\b|\bblah blah\b/i,
];

/** The same, where each text is a line of its own. */
const IN_LINES = PATTERNS.map(({ source, flags }) => new RegExp(source, `${flags}m`));

function placeholderIn(text: string, patterns: readonly RegExp[]): string | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return found;
  }
  return undefined;
}
