import type { Finding, Rule } from "../../rule.js";
import { hasDarkStyles, schemesInHead, schemesInStyles } from "../../styles/canvas.js";

export const colorScheme: Rule = {
  id: "color-scheme",
  summary: "The html body has dark styles and no metadata that says so.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    if (!hasDarkStyles(document) || schemesInHead(document) !== undefined) return [];
    const inStyles = schemesInStyles(document) !== undefined;
    return [
      {
        message: inStyles
          ? "The body says only in its styles that it knows the dark, which not all clients read."
          : "The body has dark styles and does not say so: clients may not use them.",
        at: (document.first("head") ?? document.body).at(),
        hint: 'Put `<meta name="color-scheme" content="light dark">` and `<meta name="supported-color-schemes" content="light dark">` in `<head>`.',
        severity: inStyles ? "info" : "warning",
      },
    ];
  },
};
