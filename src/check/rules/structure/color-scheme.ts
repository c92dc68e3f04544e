import type { Finding, Rule } from "../../rule.js";
import { hasDarkStyles, schemesInHead, schemesInStyles } from "../../styles/canvas.js";

export const colorScheme: Rule = {
  id: "color-scheme",
  summary: "The html body has dark mode styles but no metadata that declares them.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    if (!hasDarkStyles(document) || schemesInHead(document) !== undefined) return [];
    const inStyles = schemesInStyles(document) !== undefined;
    return [
      {
        message: inStyles
          ? "Support for dark mode is declared only in styles, which some clients don't read."
          : "The body has dark mode styles but doesn't declare support for dark mode, so clients may ignore them.",
        at: (document.first("head") ?? document.body).at(),
        hint: 'Put `<meta name="color-scheme" content="light dark">` and `<meta name="supported-color-schemes" content="light dark">` in `<head>`.',
        severity: inStyles ? "info" : "warning",
      },
    ];
  },
};
