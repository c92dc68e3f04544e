import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { type Cascade, cascadeOf, type Given } from "../../styles/cascade.js";
import { alphaOf, type Colour, contrastOf, nameOf, readColour, WHITE } from "../../styles/colour.js";
import { LIGHT } from "../../styles/media.js";
import { imageOf, isMoved, textColours } from "../../styles/painted.js";
import { isHidden } from "../../styles/visible.js";
import { readTexts, sampleOf } from "./read-texts.js";

/** Below this contrast ratio, text is unreadable by any standard. */
const UNREADABLE = 2;

export const backgroundFallback: Rule = {
  id: "background-fallback",
  summary: "Text is unreadable when its background image is not shown.",
  severity: "warning",
  checkTemplate({ document }) {
    const cascade = cascadeOf(document);
    const findings = new Map<string, Finding>();
    for (const [element, words] of readTexts(document)) {
      const behind = imageBehind(cascade, element);
      const colours = behind && textColours(cascade, element, LIGHT);
      const [first] = colours ?? [];
      if (!behind || !colours || !first || isHidden(cascade, element, LIGHT)) continue;
      if (colours.some(({ colour }) => contrastOf(colour, behind.colour) >= UNREADABLE)) continue;
      const at = behind.image.at();
      const pair = `${nameOf(first.colour)} on ${nameOf(behind.colour)}`;
      const key = `${pair} ${JSON.stringify(at)}`;
      if (findings.has(key)) continue;
      const message = `The text "${sampleOf(words)}" is on a background image. If the image is blocked or background images are not supported, the text is ${pair}.`;
      findings.set(key, { message, at, hint: HINT });
    }
    return [...findings.values()];
  },
};

const HINT = "Add a `background-color` similar to the image to the same element.";

/** The background image behind an element's text, and the colour seen when the image is not shown. */
function imageBehind(
  cascade: Cascade,
  element: EmailElement,
): { readonly image: Given; readonly colour: Colour } | undefined {
  let image: Given | undefined;
  for (const each of [element, ...element.ancestors]) {
    if (isMoved(cascade, each, LIGHT)) return undefined;
    image ??= imageOf(cascade, each, LIGHT);
    const given = cascade.value(each, "background-color", LIGHT);
    const colour = given === undefined ? undefined : readColour(given);
    if (given !== undefined && !colour) return undefined;
    if (!colour || alphaOf(colour) === 0) continue;
    return image && alphaOf(colour) === 1 ? { image, colour } : undefined;
  }
  return image && { image, colour: WHITE };
}
