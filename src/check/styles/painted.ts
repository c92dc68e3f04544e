import type { EmailElement } from "../document/nodes.js";
import { canvasOf } from "./canvas.js";
import type { Cascade, Given } from "./cascade.js";
import { alphaOf, type Colour, over, readColour } from "./colour.js";
import type { View } from "./media.js";
import { type Question, remembered } from "./remembered.js";

/** A visible colour, and the value that set it: undefined if it is the client's default. */
export interface Painted {
  readonly colour: Colour;
  readonly by?: { readonly element: EmailElement; readonly given: Given };
}

/**
 * The colours that an element's text may have in a view: several for a link for which no colour is set.
 *
 * @returns undefined if the colour is unknown, for example because a tag decides it.
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

/** Whether opacity, a blend mode or a fill colour changes the colour of the text in a way that is not computed here. */
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
 * @returns undefined if it is unknown because of an image, a gradient, a tag or an overlapping element.
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

/** An element's background image in a view: a URL or a gradient. */
export function imageOf(cascade: Cascade, element: EmailElement, view: View): Given | undefined {
  const given = cascade.given(element, "background-image", view);
  return given && !/^(?:none|initial|)$/.test(given.value) ? given : undefined;
}

/** Whether an element may be painted over elements other than its ancestors. */
export function isMoved(cascade: Cascade, element: EmailElement, view: View): boolean {
  if (/absolute|fixed|\{\{/.test(cascade.value(element, "position", view) ?? "")) return true;
  return MARGINS.some((property) => /(?:^|\s)-\d|\{\{/.test(cascade.value(element, property, view) ?? ""));
}

const MARGINS: readonly string[] = ["margin", "margin-top", "margin-left"];
