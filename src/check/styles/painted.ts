import type { EmailElement } from "../document/nodes.js";
import { canvasOf } from "./canvas.js";
import type { Cascade, Given } from "./cascade.js";
import { alphaOf, type Colour, over, readColour } from "./colour.js";
import type { View } from "./media.js";
import { type Question, remembered } from "./remembered.js";

/** A colour that is seen, and what made it so: nothing where it is the client's own. */
export interface Painted {
  readonly colour: Colour;
  readonly by?: { readonly element: EmailElement; readonly given: Given };
}

/**
 * The colours that the text of an element may have in a view: several for a link without a colour of its own.
 *
 * @returns undefined where that is not known, as when a tag decides it.
 */
export function textColours(cascade: Cascade, element: EmailElement, view: View): readonly Painted[] | undefined {
  return isFaded(cascade, element, view) ? undefined : inheritedColours(cascade, element, view);
}

const inheritedColours: Question<readonly Painted[] | undefined> = remembered((cascade, element, view) => {
  const given = cascade.given(element, "color", view);
  if (given && !INHERITED.test(given.value)) {
    const colour = readColour(given.value);
    return colour && [{ colour, by: { element, given } }];
  }
  if (!given && element.name === "a" && element.attributes.has("href")) {
    return canvasOf(cascade.document, view)?.links.map((colour) => ({ colour }));
  }
  if (element.parent) return inheritedColours(cascade, element.parent, view);
  const canvas = canvasOf(cascade.document, view);
  return canvas && [{ colour: canvas.text }];
});

const INHERITED = /^(?:inherit|unset|currentcolor)$/;

/** Whether something that is not looked at here changes the text's colour. */
const isFaded: Question<boolean> = remembered((cascade, element, view) => {
  const opacity = cascade.value(element, "opacity", view) ?? "1";
  if (!/^(?:1(?:\.0+)?|100%)$/.test(opacity)) return true;
  if (["-webkit-text-fill-color", "mix-blend-mode"].some((name) => cascade.value(element, name, view) !== undefined))
    return true;
  return element.parent !== undefined && isFaded(cascade, element.parent, view);
});

/**
 * The colour behind the text of an element.
 *
 * @returns undefined where that is not known: a picture, a gradient, a tag, or something laid over another.
 */
export const backgroundOf: Question<Painted | undefined> = remembered((cascade, element, view) => {
  if (isMoved(cascade, element, view) || imageOf(cascade, element, view)) return undefined;
  const given = cascade.given(element, "background-color", view);
  const colour = given && readColour(given.value);
  if (given && !colour) return undefined;
  const own = given && colour && alphaOf(colour) > 0 ? { colour, by: { element, given } } : undefined;
  if (own && alphaOf(own.colour) >= 1) return own;
  const below = element.parent ? backgroundOf(cascade, element.parent, view) : canvasBehind(cascade, view);
  return own && below ? { ...own, colour: over(own.colour, below.colour) } : below;
});

function canvasBehind(cascade: Cascade, view: View): Painted | undefined {
  const canvas = canvasOf(cascade.document, view);
  return canvas && { colour: canvas.background };
}

/** What an element has as its background image in a view: a picture's address or a gradient. */
export function imageOf(cascade: Cascade, element: EmailElement, view: View): Given | undefined {
  const given = cascade.given(element, "background-image", view);
  return given && !/^(?:none|initial|)$/.test(given.value) ? given : undefined;
}

/** Whether an element may lie over something that it is not written in. */
export function isMoved(cascade: Cascade, element: EmailElement, view: View): boolean {
  if (/absolute|fixed|\{\{/.test(cascade.value(element, "position", view) ?? "")) return true;
  return MARGINS.some((property) => /(?:^|\s)-\d|\{\{/.test(cascade.value(element, property, view) ?? ""));
}

const MARGINS: readonly string[] = ["margin", "margin-top", "margin-left"];
