import { isLanguageTag, languageTagFor } from "../../attributes/language-tag.js";
import type { Finding, Rule } from "../../rule.js";

export const languageMissing: Rule = {
  id: "language-missing",
  summary: "The html body does not say its language.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    const html = document.first("html");
    if (!html) return [];
    const lang = html.attribute("lang")?.trim();
    if (lang?.includes("{{")) return [];
    // What MJML says where nobody said anything.
    if (lang === undefined || lang === "" || lang.toLowerCase() === "und") {
      const message = "The body does not say which language it is in.";
      return [{ message, at: html.at(), hint: `Set "locale" in template.json, or lang, such as lang="en".` }];
    }
    if (isLanguageTag(lang)) return [];
    const meant = languageTagFor(lang);
    const hint =
      meant === undefined ? "Write it as BCP 47 has it, such as en, pt-BR or zh-Hant." : `Write lang="${meant}".`;
    return [{ message: `lang="${lang}" is no language tag.`, at: html.at("lang"), hint }];
  },
};
