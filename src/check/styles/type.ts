import type { EmailElement } from "../document/nodes.js";
import type { Cascade } from "./cascade.js";
import type { View } from "./media.js";
import { type Question, remembered } from "./remembered.js";

/** The font size of an element in pixels; undefined if it is unknown. */
export const fontSizeOf: Question<number | undefined> = remembered((cascade, element, view) => {
  const { parent } = element;
  const own = cascade.value(element, "font-size", view) ?? DEFAULT_SIZES[element.name];
  const inherited = (): number | undefined => (parent ? fontSizeOf(cascade, parent, view) : 16);
  if (own === undefined || own === "inherit") return inherited();
  if (KEYWORDS[own] !== undefined) return KEYWORDS[own];
  const [, number, unit = ""] = /^(\d*\.?\d+)(px|pt|em|rem|%)?$/.exec(own) ?? [];
  if (number === undefined || (unit === "" && Number(number) !== 0)) return undefined;
  if (unit !== "em" && unit !== "%") return Number(number) * (UNITS[unit] ?? 1);
  const around = inherited();
  return around === undefined ? undefined : (Number(number) * around) / (unit === "%" ? 100 : 1);
});

const UNITS: Readonly<Record<string, number>> = { pt: 4 / 3, rem: 16 };

/** Whether an element's text is bold; undefined if that is unknown. */
const isBold: Question<boolean | undefined> = remembered((cascade, element, view) => {
  const own = cascade.value(element, "font-weight", view);
  if (own === undefined && BOLD.has(element.name)) return true;
  if (own === undefined || own === "inherit") return element.parent ? isBold(cascade, element.parent, view) : false;
  if (!/^(?:bold|bolder|normal|lighter|initial|\d+)$/.test(own)) return undefined;
  return own.startsWith("bold") || Number(own) >= 700;
});

/**
 * Whether an element's text is large according to WCAG: at least 24 pixels, or bold and at least 18.66 pixels. Unknown sizes
 * and weights count as large and bold.
 *
 * @see https://www.w3.org/TR/WCAG22/#dfn-large-scale
 */
export function isLargeText(cascade: Cascade, element: EmailElement, view: View): boolean {
  const size = fontSizeOf(cascade, element, view);
  if (size === undefined || size >= 24) return true;
  return size >= 18.66 && isBold(cascade, element, view) !== false;
}

const BOLD: ReadonlySet<string> = new Set(["b", "strong", "th", "h1", "h2", "h3", "h4", "h5", "h6"]);

/** The browsers' default styles. */
const DEFAULT_SIZES: Readonly<Record<string, string>> = {
  h1: "2em",
  h2: "1.5em",
  h3: "1.17em",
  h5: "0.83em",
  h6: "0.67em",
  small: "0.83em",
  sub: "0.83em",
  sup: "0.83em",
  big: "1.2em",
};

const KEYWORDS: Readonly<Record<string, number>> = {
  "xx-small": 9,
  "x-small": 10,
  small: 13,
  medium: 16,
  initial: 16,
  large: 18,
  "x-large": 24,
  "xx-large": 32,
};
