import { readCss } from "../../css/read-css.js";
import { writtenCss } from "../../css/written-css.js";
import type { Finding, Rule } from "../../rule.js";

export const cssSyntax: Rule = {
  id: "css-syntax",
  summary: "CSS is broken, so email clients ignore part of it.",
  severity: "warning",
  checkTemplate({ document }) {
    const findings = writtenCss(document).flatMap(({ kind, text, at }) =>
      readCss(text, kind).mistakes.map(({ offset, message, hint }): Finding => {
        return { message, at: at(offset), ...(hint !== undefined && { hint }) };
      }),
    );
    return findings;
  },
};
