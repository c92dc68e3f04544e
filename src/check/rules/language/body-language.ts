import { languageConflicts } from "../../../template/language.js";
import type { Rule } from "../../rule.js";
import { sourceTag } from "../structure/written.js";

/** Found here in components; in MJML and HTML, the compiler finds it where it reads `template.json`. */
export const bodyLanguage: Rule = {
  id: "body-language",
  summary: "What the body says about its language or direction contradicts `template.json`.",
  severity: "warning",
  checkTemplate({ document, template }) {
    const html = template.engine === "react" ? document.first("html") : undefined;
    const written = (html && sourceTag(document, html)?.literals) ?? [];
    return languageConflicts(written, template.metadata).map(({ message, attribute: { name } }) => ({
      message,
      at: html?.at(name) ?? { file: template.body.file },
      hint: "Let them say the same.",
    }));
  },
};
