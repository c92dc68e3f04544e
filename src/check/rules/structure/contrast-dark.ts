import type { Rule } from "../../rule.js";
import { canvasOf, hasDarkStyles } from "../../styles/canvas.js";
import { type Cascade, cascadeOf } from "../../styles/cascade.js";
import { contrastOf, WHITE } from "../../styles/colour.js";
import { DARK, LIGHT } from "../../styles/media.js";
import { contrastFindings, contrastPairs, type Pair, positionOfColour } from "./contrast-pairs.js";

export const contrastDark: Rule = {
  id: "contrast-dark",
  summary: "With the email's own dark mode styles, text has too little contrast with its background.",
  severity: "warning",
  checkTemplate({ document }) {
    if (!hasDarkStyles(document) && !canvasOf(document, DARK)) return [];
    const cascade = cascadeOf(document);
    const light = new Map(contrastPairs(document, LIGHT).map(({ element, colours }) => [element, colours]));
    const low = contrastPairs(document, DARK).filter(
      // Pairs that are the same in light mode are reported by `contrast`.
      (pair) => pair.ratio < pair.wanted && light.get(pair.element) !== pair.colours,
    );
    return contrastFindings(
      low.map((pair) => ({ ...pair, ...causeOf(cascade, pair) })),
      " in dark mode",
    );
  },
};

/** A light background is to blame in dark mode. There may be a dark mode rule for it that is overridden. */
function causeOf(cascade: Cascade, pair: Pair) {
  const isBehind = contrastOf(pair.background.colour, WHITE) < 4.5;
  const blamed = isBehind ? pair.background : pair.text;
  const lost = blamed.by && cascade.lost(blamed.by.element, isBehind ? "background-color" : "color", DARK);
  return lost?.within.some((rule) => /prefers-color-scheme/i.test(rule))
    ? { at: lost.at(), hint: "Another rule or a style attribute overrides this rule. Add `!important`." }
    : {
        at: positionOfColour(blamed, pair),
        hint: "Set both the text colour and the background colour in `@media (prefers-color-scheme: dark)`.",
      };
}
