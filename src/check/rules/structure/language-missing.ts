import type { Edit } from "../../../diagnostic.js";
import { languageConflicts } from "../../../project/language.js";
import type { EmailElement } from "../../document/nodes.js";
import { documentWith, type BuiltInRule, type Finding } from "../../rule.js";

export const languageMissing: BuiltInRule = {
  id: "language-missing",
  severity: "warning",
  summary: "The language of the html body is missing, invalid, or different from `template.json`.",
  details:
    "The HTML body does not declare its language, declares one that is not a valid language tag, or contradicts " +
    "`template.json`. An HTML body without an `<html>` element can't declare it at all.",
  why:
    "Screen readers choose their voice by the language, browsers their hyphenation, and webmail offers to " +
    "translate foreign languages: [WCAG 3.1.1, Language of " +
    'Page](https://www.w3.org/WAI/WCAG22/Understanding/language-of-page). MJML writes `lang="und"` ' +
    "(undetermined) if no language is given. Language tags follow [BCP 47](https://www.rfc-editor.org/info/bcp47).",
  fix:
    'Write `"locale": "en"` in `template.json`: it becomes `lang`, and `dir` for right-to-left languages. Or ' +
    'write it yourself: `<html lang="en">`, `<mjml lang="en">`, `<Html lang="en">`. Use a hyphen in regional ' +
    "variants: `pt-BR`, `zh-Hant`.\n\n" +
    "If both the body and `template.json` declare a language, the body's own is kept, except for `en` and `ltr`, " +
    "the defaults of React Email's `<Html>`. Remove one of the two, or make them match.",
  examples: {
    wrong: [
      documentWith().replace('<html lang="en">', "‸<html>"),
      documentWith().replace('lang="en"', '‸lang="english_US"'),
      `‸<mjml>
<mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body>
</mjml>`,
    ],
    right: [
      documentWith(),
      `<mjml lang="en">
<mj-body><mj-section><mj-column><mj-text>Hello</mj-text></mj-column></mj-section></mj-body>
</mjml>`,
    ],
  },
  *checkTemplate({ document, template }) {
    const html = document.first("html");
    if (!html) return;
    const mistake = mistakeIn(html, template.metadata.locale);
    if (mistake) yield mistake;
    // For React only: in MJML and HTML the compiler reports these.
    const written = template.engine === "react" ? (html.sourceTag?.attributes ?? []) : [];
    const literals = written.filter(({ isExpression }) => !isExpression);
    for (const { message, attribute } of languageConflicts(literals, template.metadata))
      yield { message, at: html.at(attribute.name), hint: "Make them match." };
  },
};

function mistakeIn(html: EmailElement, locale: string | undefined): Finding | undefined {
  const lang = html.attribute("lang")?.trim();
  if (lang?.includes("{{")) return undefined;
  // `und` is MJML's default.
  if (lang === undefined || lang === "" || lang.toLowerCase() === "und") {
    const message = "The body doesn't declare its language.";
    const edit = lang === "" && locale !== undefined && editOf(html, "", locale);
    const hint = 'Set `"locale"` in template.json, or lang, such as `lang="en"`.';
    return { message, at: html.at(), hint, ...(edit && { edits: [edit] }) };
  }
  if (isLanguageTag(lang)) return undefined;
  const dashed = lang.replaceAll("_", "-");
  const meant = isLanguageTag(dashed) ? dashed : locale;
  const edit = meant !== undefined && editOf(html, lang, meant);
  return {
    message: `lang="${lang}" is not a valid language tag.`,
    at: html.at("lang"),
    hint: meant ? `Write \`lang="${meant}"\`.` : "Use a BCP 47 tag such as `en`, `pt-BR` or `zh-Hant`.",
    ...(edit && { edits: [edit] }),
  };
}

let known: Intl.DisplayNames | undefined;

/** Whether this is a BCP 47 tag of a known language. */
function isLanguageTag(text: string): boolean {
  known ??= new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  try {
    return known.of(text) !== undefined;
  } catch {
    return false;
  }
}

function editOf(html: EmailElement, remove: string, insert: string): Edit | undefined {
  const at = html.atValue("lang", remove);
  return at && { at, remove, insert };
}
