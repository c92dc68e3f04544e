import type { EmailDocument } from "../../document/email-document.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { metadataPosition } from "../../source-position.js";
import { sourceTag } from "../structure/written.js";
import { withoutTags } from "./plain.js";
import { paragraphsOf } from "./wordings.js";

export const languageScript: Rule = {
  id: "language-script",
  summary: "The body is written in letters that its language does not have.",
  severity: "warning",
  checkTemplate(checked) {
    const { document, template } = checked;
    const { locale } = template.metadata;
    const html = document.first("html");
    const lang = html?.attribute("lang")?.trim();
    const isOwn =
      html !== undefined && (locale === undefined || lang?.toLowerCase() !== locale.toLowerCase() || says(checked));
    const inBody = lang === undefined || !isOwn ? [] : contradiction(document, lang, `lang="${lang}"`);
    const inMetadata = locale === undefined ? [] : contradiction(document, locale, `The locale is ${locale}`);
    return [
      ...inBody.map((found) => ({ ...found, at: html?.at("lang") ?? { file: template.body.file } })),
      ...inMetadata.map((found) => ({ ...found, at: metadataPosition(checked, "locale") })),
    ];
  },
};

/** Whether the body has the language itself, rather than from template.json. */
function says({ document, template }: CheckedTemplate): boolean {
  const html = document.first("html");
  return (
    (html && sourceTag(document, html)?.has("lang")) ?? /<(?:html|mjml)\b[^>]*\slang\s*=/i.test(template.body.text)
  );
}

function contradiction(document: EmailDocument, language: string, said: string): Finding[] {
  const wanted = scriptOf(language);
  const written = wanted && writtenIn(document, language);
  if (wanted === undefined || written === undefined || written === wanted) return [];
  return [
    {
      message: `${said}, and the text is written in ${NAMES[written]} letters: screen readers read it with the wrong voice.`,
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

/** The letters of most of a text; undefined where it has a good part of others. */
function writtenIn(document: EmailDocument, language: string): Script | undefined {
  const words = paragraphsOf(document)
    .filter(
      ({ element }) =>
        !element.descendants.concat(element, element.ancestors).some((each) => saysOther(each, language)),
    )
    .map(({ text }) => withoutTags(text).replace(/\S*[@/]\S*|\b[\w-]+\.[a-z]{2,}\b/gi, " "))
    .join("\n");
  const counts = LETTERS.map(([script, pattern]) => [script, words.match(pattern)?.length ?? 0] as const);
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  const [most] = counts.toSorted(([, a], [, b]) => b - a);
  const own = counts.find(([script]) => script === scriptOf(language))?.[1] ?? 0;
  // Names of products and people are often Latin, whatever stands around them.
  const mostOwn = scriptOf(language) === "Latn" ? 0.25 : 0.03;
  return most && all >= FEW && most[1] > all * 0.7 && own <= all * mostOwn ? most[0] : undefined;
}

/** Whether a part of the body has a language of its own. */
function saysOther({ name, attributes }: EmailDocument["elements"][number], language: string): boolean {
  const own = attributes.get("lang")?.trim().toLowerCase();
  return name !== "html" && own !== undefined && own !== "" && own !== language.toLowerCase();
}
