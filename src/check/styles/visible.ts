import type { EmailElement } from "../document/nodes.js";
import type { Cascade } from "./cascade.js";
import type { View } from "./media.js";
import { type Question, remembered } from "./remembered.js";

/**
 * Whether nobody sees an element: a preheader, its padding, what only some clients show. What is seen on phones alone is
 * hidden too.
 */
export const isHidden: Question<boolean> = remembered((cascade, element, view) => {
  if (hidesItself(cascade, element, view)) return true;
  return element.parent !== undefined && isHidden(cascade, element.parent, view);
});

function hidesItself(cascade: Cascade, element: EmailElement, view: View): boolean {
  if (UNSEEN.has(element.name) || element.attributes.has("hidden")) return true;
  const value = (property: string): string => cascade.value(element, property, view) ?? "";
  if (value("display") === "none" || value("visibility") === "hidden" || isZero(value("opacity"))) return true;
  // Columns have a font size of 0, too, and their texts sizes of their own.
  if (/^(?:0|0?\.\d+|1)(?:px|pt|em)?$/.test(value("font-size")) && element.elements.length === 0) return true;
  return value("overflow") === "hidden" && (isZero(value("max-height")) || isZero(value("height")));
}

function isZero(value: string): boolean {
  return /^0(?:\.0+)?(?:px|pt|em|%)?$/.test(value);
}

const UNSEEN: ReadonlySet<string> = new Set(["head", "style", "script", "title", "template", "noscript", "svg"]);
