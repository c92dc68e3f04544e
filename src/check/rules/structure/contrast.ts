import type { EmailDocument } from "../../document/email-document.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { contrastOf, nameOf, WHITE } from "../../styles/colour.js";
import { LIGHT } from "../../styles/media.js";
import type { Painted } from "../../styles/painted.js";
import { findStyledCase, type StyledCase } from "../../styles/styled-cases.js";
import { inWords } from "../../truth/smallest.js";
import { contrastPairs, findingsOf, type Pair, placeOf } from "./contrast-pairs.js";

export const contrast: Rule = {
  id: "contrast",
  summary: "A text's colour is too near to that of its background.",
  severity: "warning",
  checkTemplate(checked) {
    const pale = palePairs(checked.document);
    return [...findingsOf(pale, TELLING), ...inSomeCase(checked, pale)];
  },
};

const TELLING = {
  hint: "Make the darker one of the two colours darker, or the lighter one lighter.",
  cause: (pair: Pair) => ({ at: placeOf(inner(pair), pair) }),
};

function palePairs(document: EmailDocument): Pair[] {
  return contrastPairs(document, LIGHT).filter((pair) => pair.ratio < pair.wanted && !isOfComponent(document, pair));
}

/** What is pale only with some variables, as sections in styles decide over the colours. */
function inSomeCase(checked: CheckedTemplate, always: readonly Pair[]): Finding[] {
  const known = new Set(always.map(keyOf));
  const paleIn = ({ document, isShown }: StyledCase): Pair[] =>
    palePairs(document).filter((pair) => !known.has(keyOf(pair)) && isShown(pair.element));
  const found = findStyledCase(checked, (styled) => paleIn(styled).length > 0);
  if (!found) return [];
  const when = `With ${inWords(found.variables)} text`;
  return findingsOf(paleIn(found.styled), TELLING).map((finding) => ({
    ...finding,
    message: finding.message.replace(/^Text/, () => when),
  }));
}

function keyOf({ words, text, background }: Pair): string {
  return JSON.stringify([words, text.colour, background.colour]);
}

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
