import { isLanguageTag, languageTagFor } from "../../attributes/language-tag.js";
import type { Edit } from "../../../diagnostic.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";

export const languageMissing: Rule = {
  id: "language-missing",
  summary: "The html body does not say its language.",
  severity: "warning",
  checkTemplate({ document, template }): Finding[] {
    const { locale } = template.metadata;
    const html = document.first("html");
    if (!html) return [];
    const lang = html.attribute("lang")?.trim();
    if (lang?.includes("{{")) return [];
    // What MJML says where nobody said anything.
    if (lang === undefined || lang === "" || lang.toLowerCase() === "und") {
      const message = "The body does not say which language it is in.";
      const edit = lang === "" && locale !== undefined && editOf(html, 'lang=""', `lang="${locale}"`);
      const hint = 'Set `"locale"` in template.json, or lang, such as `lang="en"`.';
      return [{ message, at: html.at(), hint, ...(edit && { edits: [edit] }) }];
    }
    if (isLanguageTag(lang)) return [];
    const meant = languageTagFor(lang);
    const hint =
      meant === undefined ? "Write it as BCP 47 has it, such as en, pt-BR or zh-Hant." : `Write \`lang="${meant}"\`.`;
    // Certain where template.json says it, or the language's name is written out.
    const named = languageTagFor(lang, 0);
    const contradicts = named !== undefined && locale !== undefined && languageIn(named) !== languageIn(locale);
    const certain = contradicts ? undefined : (named ?? locale);
    const edit = certain !== undefined && editOf(html, lang, certain);
    return [
      { message: `lang="${lang}" is no language tag.`, at: html.at("lang"), hint, ...(edit && { edits: [edit] }) },
    ];
  },
};

function languageIn(tag: string): string | undefined {
  return tag.toLowerCase().split("-")[0];
}

function editOf(html: EmailElement, remove: string, insert: string): Edit | undefined {
  const at = html.atValue("lang", remove);
  return at && { at, remove, insert };
}
