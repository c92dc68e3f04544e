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
    const message = `lang="${lang}" is no language tag.`;
    return [{ message, at: html.at("lang"), hint: "Write it as BCP 47 has it, such as en, pt-BR or zh-Hant." }];
  },
};

/** A language has two letters, or three; longer ones are in the grammar, and there are none. */
function isLanguageTag(lang: string): boolean {
  try {
    return /^[a-z]{2,3}$/.test(new Intl.Locale(lang).language);
  } catch {
    return false;
  }
}
