import { documentWith, type BuiltInRule } from "../../rule.js";
import { contrastOf, WHITE } from "../../styles/colour.js";
import { canvasOf, hasDarkStyles } from "../../styles/computed.js";
import { overriddenValue } from "../../styles/cascade.js";
import { DARK, LIGHT } from "../../styles/matching.js";
import { contrastFindings, contrastPairs, positionOfColour, type Pair } from "../../lib/contrast.js";

export const contrastDark: BuiltInRule = {
  id: "contrast-dark",
  severity: "warning",
  summary: "With the email's own dark mode styles, text has too little contrast with its background.",
  why:
    "Rules in `@media (prefers-color-scheme: dark)` often change a background but miss some text on it, or are " +
    "overridden by a style attribute because `!important` is missing. If an email declares support for dark mode " +
    '(`<meta name="color-scheme" content="light dark">`), clients also change default colours: text becomes ' +
    "white on a dark canvas, so a light box needs a text colour of its own ([dark mode support in " +
    "WebKit](https://webkit.org/blog/8840/dark-mode-support-in-webkit/)). The ratios are those of " +
    "[contrast](contrast.md), which reports text that also fails in light mode.",
  fix:
    "Set both the text colour and the background colour in `@media (prefers-color-scheme: dark)`, with " +
    "`!important` if the light ones are in style attributes.",
  examples: {
    wrong: [
      documentWith({
        style: "@media (prefers-color-scheme: dark) { .box { background-color: #111111 } }",
        body: '<div class="box"><p style="‸color: #222222">Your order</p></div>',
      }),
    ],
    right: [
      documentWith({
        style: `@media (prefers-color-scheme: dark) {
  .box { background-color: #111111 }
  .text { color: #eeeeee !important }
}`,
        body: '<div class="box"><p class="text" style="color: #222222">Your order</p></div>',
      }),
    ],
  },
  checkTemplate({ document }) {
    if (!hasDarkStyles(document) && !canvasOf(document, DARK)) return [];
    const light = new Map(contrastPairs(document, LIGHT).map(({ element, colours }) => [element, colours]));
    const low = contrastPairs(document, DARK).filter(
      // Pairs that are the same in light mode are reported by `contrast`.
      (pair) => pair.ratio < pair.wanted && light.get(pair.element) !== pair.colours,
    );
    return contrastFindings(
      low.map((pair) => ({ ...pair, ...causeOf(pair) })),
      " in dark mode",
    );
  },
};

/** A light background is to blame in dark mode. There may be a dark mode rule for it that is overridden. */
function causeOf(pair: Pair) {
  const isBehind = contrastOf(pair.background.colour, WHITE) < 4.5;
  const blamed = isBehind ? pair.background : pair.text;
  const lost = blamed.by && overriddenValue(blamed.by.element, isBehind ? "background-color" : "color", DARK);
  return lost?.within.some((rule) => /prefers-color-scheme/i.test(rule))
    ? { at: lost.at(), hint: "Another rule or a style attribute overrides this rule. Add `!important`." }
    : {
        at: positionOfColour(blamed, pair),
        hint: "Set both the text colour and the background colour in `@media (prefers-color-scheme: dark)`.",
      };
}
