import type { EmailDocument } from "../../document/email-document.js";
import type { Rule } from "../../rule.js";
import { contrastOf, nameOf, WHITE } from "../../styles/colour.js";
import { LIGHT } from "../../styles/media.js";
import type { Painted } from "../../styles/painted.js";
import { contrastPairs, findingsOf, type Pair, placeOf } from "./contrast-pairs.js";

export const contrast: Rule = {
  id: "contrast",
  summary: "A text's colour is too near to that of its background.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    findingsOf(
      contrastPairs(document, LIGHT).filter((pair) => pair.ratio < pair.wanted && !isOfComponent(document, pair)),
      {
        hint: "Make the darker one of the two colours darker, or the lighter one lighter.",
        cause: (pair) => ({ at: placeOf(inner(pair), pair) }),
      },
    ),
};

/** Whether the text's colour is the one that React Email's `<Link>` gives by itself, on white or nearly so. */
function isOfComponent(document: EmailDocument, { text, background }: Pair): boolean {
  const colour = nameOf(text.colour);
  if (text.by?.element.writtenAs !== "Link" || colour !== COLOUR_OF_LINK || contrastOf(background.colour, WHITE) > PALE)
    return false;
  return document.positionOf(colour).line === undefined;
}

/** How far a background may be from white. */
const PALE = 1.3;
const COLOUR_OF_LINK = "#067df7";

/** The inner one of what made the two colours: that one did not heed the other. */
function inner({ text, background }: Pair): Painted {
  const isInText = text.by && background.by?.element.ancestors.includes(text.by.element);
  return !text.by || isInText ? background : text;
}
