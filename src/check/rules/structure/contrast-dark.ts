import type { Rule } from "../../rule.js";
import { canvasOf, hasDarkStyles } from "../../styles/canvas.js";
import { type Cascade, cascadeOf } from "../../styles/cascade.js";
import { contrastOf, nameOf, WHITE } from "../../styles/colour.js";
import { DARK, LIGHT } from "../../styles/media.js";
import { type Cause, contrastPairs, findingsOf, type Pair, placeOf } from "./contrast-pairs.js";

export const contrastDark: Rule = {
  id: "contrast-dark",
  summary: "With the email's own dark styles, a text's colour is too near to that of its background.",
  severity: "warning",
  checkTemplate({ document }) {
    if (!hasDarkStyles(document) && !canvasOf(document, DARK)) return [];
    const cascade = cascadeOf(document);
    const light = new Map(contrastPairs(document, LIGHT).map((pair) => [pair.element, coloursOf(pair)]));
    const low = contrastPairs(document, DARK).filter(
      // What is the same in light is a matter of the rule contrast.
      (pair) => pair.ratio < pair.wanted && light.get(pair.element) !== coloursOf(pair),
    );
    return findingsOf(low, {
      where: " in dark mode",
      hint: "Set both colours, of the text and behind it, in @media (prefers-color-scheme: dark).",
      cause: (pair) => causeOf(cascade, pair),
    });
  },
};

/** In the dark, what is behind a text is dark. The rule that was to make it so may be there, and lose. */
function causeOf(cascade: Cascade, pair: Pair): Cause {
  const isBehind = contrastOf(pair.background.colour, WHITE) < 4.5;
  const blamed = isBehind ? pair.background : pair.text;
  const lost = blamed.by && cascade.lost(blamed.by.element, isBehind ? "background-color" : "color", DARK);
  if (lost?.within.some((rule) => /prefers-color-scheme/i.test(rule))) return { at: lost.at(), hint: LOST };
  return { at: placeOf(blamed, pair) };
}

const LOST = "This rule loses to another one, or to a style attribute: add !important.";

function coloursOf({ text, background }: Pair): string {
  return `${nameOf(text.colour)} ${nameOf(background.colour)}`;
}
