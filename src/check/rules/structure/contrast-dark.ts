import type { Rule } from "../../rule.js";
import { canvasOf, hasDarkStyles } from "../../styles/canvas.js";
import { type Cascade, cascadeOf } from "../../styles/cascade.js";
import { contrastOf, WHITE } from "../../styles/colour.js";
import { DARK, LIGHT } from "../../styles/media.js";
import { contrastFindings, contrastPairs, type Pair, placeOf } from "./contrast-pairs.js";

export const contrastDark: Rule = {
  id: "contrast-dark",
  summary: "With the email's own dark styles, a text's colour is too near to that of its background.",
  severity: "warning",
  checkTemplate({ document }) {
    if (!hasDarkStyles(document) && !canvasOf(document, DARK)) return [];
    const cascade = cascadeOf(document);
    const light = new Map(contrastPairs(document, LIGHT).map(({ element, colours }) => [element, colours]));
    const low = contrastPairs(document, DARK).filter(
      // What is the same in light is a matter of the rule contrast.
      (pair) => pair.ratio < pair.wanted && light.get(pair.element) !== pair.colours,
    );
    return contrastFindings(
      low.map((pair) => ({ ...pair, ...causeOf(cascade, pair) })),
      " in dark mode",
    );
  },
};

/** In the dark, what is behind a text is dark. The rule that was to make it so may be there, and lose. */
function causeOf(cascade: Cascade, pair: Pair) {
  const isBehind = contrastOf(pair.background.colour, WHITE) < 4.5;
  const blamed = isBehind ? pair.background : pair.text;
  const lost = blamed.by && cascade.lost(blamed.by.element, isBehind ? "background-color" : "color", DARK);
  return lost?.within.some((rule) => /prefers-color-scheme/i.test(rule))
    ? { at: lost.at(), hint: "This rule loses to another one, or to a style attribute: add !important." }
    : {
        at: placeOf(blamed, pair),
        hint: "Set both colours, of the text and behind it, in @media (prefers-color-scheme: dark).",
      };
}
