import type { Edit } from "../../../diagnostic.js";
import { languageConflicts } from "../../../project/language.js";
import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { sourceTag } from "./written.js";

export const languageMissing: Rule = {
  id: "language-missing",
  summary: "The language of the html body is missing, invalid, or different from `template.json`.",
  severity: "warning",
  checkTemplate: (checked) => {
    const html = checked.document.first("html");
    return html ? [...withoutTag(html, checked), ...conflicts(html, checked)] : [];
  },
};

function withoutTag(html: EmailElement, { template }: CheckedTemplate): Finding[] {
  const { locale } = template.metadata;
  const lang = html.attribute("lang")?.trim();
  if (lang?.includes("{{")) return [];
  // `und` is MJML's default.
  if (lang === undefined || lang === "" || lang.toLowerCase() === "und") {
    const message = "The body doesn't declare its language.";
    const edit = lang === "" && locale !== undefined && editOf(html, "", locale);
    const hint = 'Set `"locale"` in template.json, or lang, such as `lang="en"`.';
    return [{ message, at: html.at(), hint, ...(edit && { edits: [edit] }) }];
  }
  if (isLanguageTag(lang)) return [];
  const dashed = lang.replaceAll("_", "-");
  const meant = isLanguageTag(dashed) ? dashed : locale;
  const edit = meant !== undefined && editOf(html, lang, meant);
  return [
    {
      message: `lang="${lang}" is not a valid language tag.`,
      at: html.at("lang"),
      hint: meant ? `Write \`lang="${meant}"\`.` : "Use a BCP 47 tag such as `en`, `pt-BR` or `zh-Hant`.",
      ...(edit && { edits: [edit] }),
    },
  ];
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

/** For React only: in MJML and HTML the compiler reports these. */
function conflicts(html: EmailElement, { document, template }: CheckedTemplate): Finding[] {
  const written = template.engine === "react" ? (sourceTag(document, html)?.attributes ?? []) : [];
  const literals = written.filter(({ isExpression }) => !isExpression);
  return languageConflicts(literals, template.metadata).map(({ message, attribute: { name } }) => ({
    message,
    at: html.at(name),
    hint: "Let them say the same.",
  }));
}
