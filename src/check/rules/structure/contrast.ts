import type { EmailDocument } from "../../document/email-document.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { contrastOf, nameOf, WHITE } from "../../styles/colour.js";
import { LIGHT } from "../../styles/media.js";
import type { Painted } from "../../styles/painted.js";
import { findStyledCase, type StyledCase } from "../../styles/styled-cases.js";
import { formatVariables } from "../../truth/format-variables.js";
import { contrastFindings, contrastPairs, positionOfColour, type Pair } from "../../lib/contrast-pairs.js";

export const contrast: BuiltInRule = {
  id: "contrast",
  severity: "warning",
  summary: "Text has too little contrast with its background.",
  why:
    "[WCAG 1.4.3](https://www.w3.org/WAI/WCAG22/Understanding/contrast-minimum) requires a ratio of 4.5:1, or 3:1 " +
    "for large text (24 pixels, or 18.66 pixels and bold). A ratio below 3:1 is a warning, above that a note. " +
    "Colours come from style attributes, `<style>` elements and attributes such as `bgcolor`, and are inherited as " +
    "in a browser. Links without a colour are blue, other text is black on white. Nothing is reported if the " +
    "colour depends on an image, a gradient, a variable or overlapping elements, nor for the default blue of React " +
    "Email's `<Link>` on white. Sections in a style, as in " +
    "`color:{{#urgent}}#c00{{/urgent}}{{^urgent}}#222{{/urgent}}`, are tried each way if they test at most three " +
    "variables. All text in the same two colours is one finding, at the first place.",
  fix:
    "Darken the darker colour, or lighten the lighter one. The finding points to the colour that is set on the " +
    "inner element.",
  examples: {
    wrong: ['<p style="‸color: #aaaaaa">Your order</p>'],
    right: [
      '<p style="color: #333333">Your order</p>',
      '<div style="background: #203040"><p style="color: #ffffff">Your order</p></div>',
    ],
  },
  checkTemplate(checked) {
    const pale = palePairs(checked.document);
    return [...findingsFor(pale), ...inSomeCase(checked, pale)];
  },
};

const HINT = "Darken the darker colour, or lighten the lighter one.";

function palePairs(document: EmailDocument): Pair[] {
  return contrastPairs(document, LIGHT).filter((pair) => pair.ratio < pair.wanted && !isOfComponent(document, pair));
}

function findingsFor(pairs: readonly Pair[]): Finding[] {
  return contrastFindings(pairs.map((pair) => ({ ...pair, at: positionOfColour(inner(pair), pair), hint: HINT })));
}

/** Pairs with too little contrast only for some variables, where sections in styles choose colours. */
function inSomeCase(checked: CheckedTemplate, always: readonly Pair[]): Finding[] {
  const keyOf = ({ words, colours }: Pair): string => `${colours} ${words}`;
  const known = new Set(always.map(keyOf));
  const paleIn = ({ document, isShown }: StyledCase): Pair[] =>
    palePairs(document).filter((pair) => !known.has(keyOf(pair)) && isShown(pair.element));
  const found = findStyledCase(checked, (styled) => paleIn(styled).length > 0);
  if (!found) return [];
  const when = `With ${formatVariables(found.variables)} text`;
  return findingsFor(paleIn(found.styled)).map((finding) => ({
    ...finding,
    message: finding.message.replace(/^Text/, () => when),
  }));
}

/** Whether this is the default colour of React Email's `<Link>`, on white or nearly white. */
function isOfComponent(document: EmailDocument, { text, background }: Pair): boolean {
  const colour = nameOf(text.colour);
  if (text.by?.element.writtenAs !== "Link" || colour !== "#067df7" || contrastOf(background.colour, WHITE) > 1.3)
    return false;
  return document.positionOf(colour).line === undefined;
}

/** Of text and background, the one set on the inner element, which ignores the other. */
function inner({ text, background }: Pair): Painted {
  const isInText = text.by && background.by?.element.ancestors.includes(text.by.element);
  return !text.by || isInText ? background : text;
}
