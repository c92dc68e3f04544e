import type { EmailDocument } from "../../document/email-document.js";
import type { Finding, Rule } from "../../rule.js";
import { saidLanguages, textIn } from "./said-language.js";

export const languageScript: Rule = {
  id: "language-script",
  summary: "The body is written in letters that its language does not have.",
  severity: "warning",
  checkTemplate(checked) {
    return saidLanguages(checked).flatMap(({ language, said, at }): Finding[] => {
      const wanted = scriptOf(language);
      const written = wanted && writtenIn(checked.document, language);
      if (wanted === undefined || written === undefined || written === wanted) return [];
      const message = `${said}, and the text is written in ${NAMES[written]} letters: screen readers read it with the wrong voice.`;
      return [{ message, at, hint: "Name the language that it is written in." }];
    });
  },
};

type Script = keyof typeof NAMES;

const NAMES = {
  Latn: "Latin",
  Cyrl: "Cyrillic",
  Grek: "Greek",
  Arab: "Arabic",
  Hebr: "Hebrew",
  Hani: "Chinese, Japanese or Korean",
  Thai: "Thai",
} as const;

const LETTERS: readonly (readonly [Script, RegExp])[] = [
  ["Latn", /\p{Script=Latin}/gu],
  ["Cyrl", /\p{Script=Cyrillic}/gu],
  ["Grek", /\p{Script=Greek}/gu],
  ["Arab", /\p{Script=Arabic}/gu],
  ["Hebr", /\p{Script=Hebrew}/gu],
  ["Hani", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu],
  ["Thai", /\p{Script=Thai}/gu],
];

/** Languages that are written in these letters alone. */
const LANGUAGES: ReadonlyMap<string, Script> = new Map([
  ...allOf(
    "Latn",
    "en de fr es it pt nl sv da nb nn no fi is et lv lt pl cs sk sl hr hu ro sq tr vi id ga cy mt ca eu gl lb fy af",
  ),
  ...allOf("Cyrl", "ru uk be bg mk"),
  ...allOf("Grek", "el"),
  ...allOf("Arab", "ar fa ur ps"),
  ...allOf("Hebr", "he iw yi"),
  ...allOf("Hani", "zh ja ko"),
  ...allOf("Thai", "th"),
]);

function allOf(script: Script, languages: string): (readonly [string, Script])[] {
  return languages.split(" ").map((language) => [language, script] as const);
}

/** Undefined of languages that are written in several; one that is named in the tag, `ru-Latn`, is meant. */
function scriptOf(language: string): Script | undefined {
  const [code = "", ...more] = language.toLowerCase().split("-");
  return more.some((part) => /^[a-z]{4}$/.test(part)) ? undefined : LANGUAGES.get(code);
}

/** Letters below which a body may have its words from variables. */
const FEW = 40;

/** The letters of most of a text; undefined where it has a good part of others. */
function writtenIn(document: EmailDocument, language: string): Script | undefined {
  const words = textIn(document, language);
  const counts = LETTERS.map(([script, pattern]) => [script, words.match(pattern)?.length ?? 0] as const);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const [most] = counts.toSorted(([, a], [, b]) => b - a);
  const own = counts.find(([script]) => script === scriptOf(language))?.[1] ?? 0;
  // Names of products and people are often Latin, whatever stands around them.
  const mostOwn = scriptOf(language) === "Latn" ? 0.25 : 0.03;
  return most && all >= FEW && most[1] > all * 0.7 && own <= all * mostOwn ? most[0] : undefined;
}
