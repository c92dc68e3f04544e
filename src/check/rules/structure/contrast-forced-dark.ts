import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { cascadeOf, type Given } from "../../styles/cascade.js";
import { alphaOf, type Colour, contrastOf, readColour, WHITE } from "../../styles/colour.js";
import { LIGHT } from "../../styles/media.js";
import { imageOf, textColours } from "../../styles/painted.js";
import { type Question, remembered } from "../../styles/remembered.js";
import { isHidden } from "../../styles/visible.js";
import { readTexts, sampleOf } from "./read-texts.js";

export const contrastForcedDark: Rule = {
  id: "contrast-forced-dark",
  summary: "Where a client darkens an email by force, a text comes to be as light as the picture behind it.",
  severity: "info",
  checkTemplate({ document }) {
    // Outlook.com marks what it has changed, and this email has styles for that.
    const isHeeded = document.styleRules.some(({ selectors }) =>
      selectors.some((each) => /data-og(?:sc|sb|ac|ab)/.test(each)),
    );
    const cascade = cascadeOf(document);
    const found = new Map<EmailElement, Finding>();
    for (const [element, text] of isHeeded ? [] : readTexts(document)) {
      const picture = lightPictureBehind(cascade, element, LIGHT);
      if (!picture || found.has(picture.element) || isHidden(cascade, element, LIGHT)) continue;
      const colours = textColours(cascade, element, LIGHT) ?? [];
      if (colours.length !== 1 || !colours.every(({ colour }) => isDark(colour))) continue;
      found.set(picture.element, {
        message: `Clients that darken emails by force make the text "${sampleOf(text)}" light, and leave the light picture behind it as it is.`,
        at: picture.given.at(),
        hint: "Put the text on a background colour, or on a picture on which dark and light text can be read.",
      });
    }
    return found.values();
  },
};

interface Picture {
  readonly element: EmailElement;
  readonly given: Given;
}

/** What is painted as an image right behind a text and is known to be light: by its stops, or by the colour below it. */
const lightPictureBehind: Question<Picture | undefined> = remembered((cascade, element, view) => {
  const given = imageOf(cascade, element, view);
  const below = cascade.value(element, "background-color", view);
  const colour = below === undefined ? undefined : readColour(below);
  if (given) {
    const stops = stopsOf(given.value);
    const colours = stops.length > 0 ? stops : colour ? [colour] : [];
    return colours.length > 0 && colours.every(isLight) ? { element, given } : undefined;
  }
  if (!element.parent || (below !== undefined && (!colour || alphaOf(colour) > 0))) return undefined;
  return lightPictureBehind(cascade, element.parent, view);
});

function isLight(colour: Colour): boolean {
  return alphaOf(colour) === 1 && contrastOf(colour, WHITE) < 1.6;
}

function stopsOf(image: string): Colour[] {
  const words = /gradient\((.*)\)/.exec(image)?.[1]?.match(/#[\da-f]+|(?:rgb|hsl)a?\([^)]*\)|\b[a-z]+\b/g) ?? [];
  return words.flatMap((word) => readColour(word) ?? []);
}

function isDark(colour: Colour): boolean {
  return contrastOf(colour, WHITE) >= 4.5;
}
