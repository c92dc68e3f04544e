import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { cascadedString, type CascadedValue } from "../../styles/cascade.js";
import { alphaOf, contrastOf, colourName, readColour, WHITE, type Colour } from "../../styles/colour.js";
import { imageOf, isMoved, textColours, isHidden } from "../../styles/computed.js";
import { LIGHT } from "../../styles/matching.js";
import { readTexts, sampleOf } from "../../lib/texts.js";

/** Below this contrast ratio, text is unreadable by any standard. */
const UNREADABLE = 2;

export const backgroundFallback: BuiltInRule = {
  id: "background-fallback",
  severity: "warning",
  summary: "Text is unreadable when its background image is not shown.",
  details:
    "Text on a background image or a gradient can't be read on the colour behind it: white text on a photo without " +
    "a dark background colour.",
  why:
    "Outlook on Windows shows no CSS background images and no gradients " +
    "([caniemail.com](https://www.caniemail.com/features/css-background-image/)), and many clients block images " +
    "until the recipient allows them. What remains is the background colour, or white. Only text with a contrast " +
    "below 2:1 is reported.",
  fix:
    "Add a `background-color` similar to the image to the same element: `background-color` of `<mj-section>`, " +
    "`bgcolor` of a table cell, `background: #203040 url(…)` in CSS.",
  examples: {
    wrong: [
      '<div style="‸background-image: url(https://shop.example/tea.png)"><p style="color: #ffffff">Your order</p></div>',
    ],
    right: [
      '<div style="background: #203040 url(https://shop.example/tea.png)"><p style="color: #ffffff">Your order</p></div>',
    ],
  },
  checkTemplate({ document }) {
    const findings = new Map<string, Finding>();
    for (const [element, words] of readTexts(document)) {
      const behind = imageBehind(element);
      const colours = behind && textColours(element, LIGHT);
      const [first] = colours ?? [];
      if (!behind || !colours || !first || isHidden(element, LIGHT)) continue;
      if (colours.some(({ colour }) => contrastOf(colour, behind.colour) >= UNREADABLE)) continue;
      const at = behind.image.at();
      const pair = `${colourName(first.colour)} on ${colourName(behind.colour)}`;
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
function imageBehind(element: EmailElement): { readonly image: CascadedValue; readonly colour: Colour } | undefined {
  let image: CascadedValue | undefined;
  for (const each of [element, ...element.ancestors]) {
    if (isMoved(each, LIGHT)) return undefined;
    image ??= imageOf(each, LIGHT);
    const given = cascadedString(each, "background-color", LIGHT);
    const colour = given === undefined ? undefined : readColour(given);
    if (given !== undefined && !colour) return undefined;
    if (!colour || alphaOf(colour) === 0) continue;
    return image && alphaOf(colour) === 1 ? { image, colour } : undefined;
  }
  return image && { image, colour: WHITE };
}
