import { documentWith, type BuiltInRule } from "../../rule.js";
import { hasDarkStyles, schemesInHead, schemesInStyles } from "../../styles/computed.js";

const DARK_STYLE = "@media (prefers-color-scheme: dark) { p { color: #ffffff } }";

export const colorScheme: BuiltInRule = {
  id: "color-scheme",
  severity: "warning",
  summary: "The HTML body has dark mode styles but no metadata that declares them.",
  details: 'The HTML body has styles for `prefers-color-scheme: dark` but no `<meta name="color-scheme">`.',
  why:
    "Apple Mail treats an email that doesn't declare support for dark mode as a light one: [dark mode support in " +
    "WebKit](https://webkit.org/blog/8840/dark-mode-support-in-webkit/), " +
    "[caniemail.com](https://www.caniemail.com/features/html-meta-color-scheme/). Some clients read the " +
    "declaration in `<meta>`, others in styles, so `:root { color-scheme: … }` alone is a note. " +
    "`supported-color-schemes` is the older name.",
  fix:
    "Put both in `<head>`:\n\n" +
    "```html\n" +
    '<meta name="color-scheme" content="light dark" /> <meta name="supported-color-schemes" content="light ' +
    'dark" />\n' +
    "```",
  examples: {
    wrong: [documentWith({ style: DARK_STYLE }).replace("<head>", "‸<head>")],
    right: [
      documentWith({
        head: `<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">`,
        style: DARK_STYLE,
      }),
    ],
  },
  *checkTemplate({ document }) {
    if (!hasDarkStyles(document) || schemesInHead(document) !== undefined) return;
    const inStyles = schemesInStyles(document) !== undefined;
    yield {
      message: inStyles
        ? "Support for dark mode is declared only in styles, which some clients don't read."
        : "The body has dark mode styles but doesn't declare support for dark mode, so clients may ignore them.",
      at: (document.first("head") ?? document.body).at(),
      hint: 'Put `<meta name="color-scheme" content="light dark">` and `<meta name="supported-color-schemes" content="light dark">` in `<head>`.',
      severity: inStyles ? "info" : "warning",
    };
  },
};
