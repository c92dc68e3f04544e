import { languageConflicts } from "../../../template/language.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { metadataPosition } from "../../source-position.js";
import { sourceTag } from "../structure/written.js";
import { withoutTags } from "./plain.js";
import { paragraphsOf } from "./wordings.js";

/** Contradictions are reported here for components; in MJML and HTML, the compiler finds them where it reads `template.json`. */
export const bodyLanguage: Rule = {
  id: "body-language",
  summary:
    "The body's language or direction contradicts `template.json`, or the body is written in letters that its language does not have.",
  severity: "warning",
  checkTemplate: (checked) => [...conflicts(checked), ...foreignScript(checked)],
};

function conflicts({ document, template }: CheckedTemplate): Finding[] {
  const html = template.engine === "react" ? document.first("html") : undefined;
  const written = (html && sourceTag(document, html)?.attributes) ?? [];
  const literals = written.filter(({ isExpression }) => !isExpression);
  return languageConflicts(literals, template.metadata).map(({ message, attribute: { name } }) => ({
    message,
    at: html?.at(name) ?? { file: template.body.file },
    hint: "Let them say the same.",
  }));
}

function foreignScript(checked: CheckedTemplate): Finding[] {
  const { document, template } = checked;
  const { locale } = template.metadata;
  const html = document.first("html");
  const language = html?.attribute("lang")?.trim() ?? locale;
  const own = language === undefined ? undefined : scriptOf(language);
  if (language === undefined || own === undefined) return [];
  const written = scriptIn(document, language, own);
  if (written === undefined) return [];
  const isFromMetadata = !html || language.toLowerCase() === locale?.toLowerCase();
  return [
    {
      message: `The language is "${language}", and the text is written in ${NAMES[written]} letters: screen readers read it with the wrong voice.`,
      at: isFromMetadata ? metadataPosition(checked, "locale") : html.at("lang"),
      hint: "Name the language that it is written in.",
    },
  ];
}

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

/** The letters of most of a text, if they are not its language's; undefined where it has a good part of these. */
function scriptIn(document: EmailDocument, language: string, own: Script): Script | undefined {
  const words = textIn(document, language);
  const counts = LETTERS.map(([script, pattern]) => [script, words.match(pattern)?.length ?? 0] as const);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const [[most, count] = [own, 0]] = counts.toSorted(([, a], [, b]) => b - a);
  const ownCount = counts.find(([script]) => script === own)?.[1] ?? 0;
  // Names of products and people are often Latin, whatever is around them.
  const mostOwn = own === "Latn" ? 0.25 : 0.03;
  return most !== own && all >= FEW && count > all * 0.7 && ownCount <= all * mostOwn ? most : undefined;
}

/** The words of a body without its addresses, and without the parts that have a language of their own. */
function textIn(document: EmailDocument, language: string): string {
  const hasOther = ({ name, attributes }: EmailElement): boolean => {
    const own = attributes.get("lang")?.trim().toLowerCase();
    return name !== "html" && own !== undefined && own !== "" && own !== language.toLowerCase();
  };
  return paragraphsOf(document)
    .filter(({ element }) => !element.descendants.concat(element, element.ancestors).some(hasOther))
    .map(({ text }) => withoutTags(text).replace(/\S*[@/]\S*|\b[\w-]+\.[a-z]{2,}\b/gi, " "))
    .join("\n");
}
