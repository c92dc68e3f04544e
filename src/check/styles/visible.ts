import type { EmailElement } from "../document/nodes.js";
import type { Cascade } from "./cascade.js";
import type { View } from "./media.js";
import { type Question, remembered } from "./remembered.js";

/**
 * Whether an element is invisible in a view: a preheader, its padding, or content for certain clients. Content for phones
 * counts as hidden in wider views.
 */
export const isHidden: Question<boolean> = remembered((cascade, element, view) => {
  if (hidesItself(cascade, element, view)) return true;
  return element.parent !== undefined && isHidden(cascade, element.parent, view);
});

function hidesItself(cascade: Cascade, element: EmailElement, view: View): boolean {
  if (NEVER_SHOWN.has(element.name) || element.attributes.has("hidden")) return true;
  const value = (property: string): string => cascade.value(element, property, view) ?? "";
  if (value("display") === "none" || value("visibility") === "hidden" || isZero(value("opacity"))) return true;
  // Columns may have a font size of 0 too, but the elements in them set their own.
  if (/^(?:0|0?\.\d+|1)(?:px|pt|em)?$/.test(value("font-size")) && element.elements.length === 0) return true;
  return value("overflow") === "hidden" && (isZero(value("max-height")) || isZero(value("height")));
}

function isZero(value: string): boolean {
  return /^0(?:\.0+)?(?:px|pt|em|%)?$/.test(value);
}

const NEVER_SHOWN: ReadonlySet<string> = new Set(["head", "style", "script", "title", "template", "noscript", "svg"]);
