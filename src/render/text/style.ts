import type { Element } from "./tree.js";

type Style = ReadonlyMap<string, string>;

const NONE: Style = new Map();
const read = new WeakMap<Element["attributes"], Style>();

/** An element's inline style: lower-case values by property; of repeated properties, the last counts. */
export function styleOf(element: Element): Style {
  const { style } = element.attributes;
  if (!style) return NONE;
  let declarations = read.get(element.attributes);
  if (!declarations) {
    declarations = declarationsIn(style.toLowerCase());
    read.set(element.attributes, declarations);
  }
  return declarations;
}

function declarationsIn(style: string): Style {
  const declarations = new Map<string, string>();
  for (const declaration of style.split(";")) {
    const colon = declaration.indexOf(":");
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).trim();
    const [bare = ""] = value.endsWith("important") ? value.split(/\s*!/) : [value];
    declarations.set(declaration.slice(0, colon).trim(), bare);
  }
  return declarations;
}

export function displayOf(element: Element): string {
  return styleOf(element).get("display") ?? "";
}

/** How line ends and spaces are treated: all collapse to one space, only line ends are kept, or everything is kept. */
export type WhiteSpace = "collapsed" | "lines" | "kept";

const WHITE_SPACE: ReadonlyMap<string, WhiteSpace> = new Map([
  ["normal", "collapsed"],
  ["nowrap", "collapsed"],
  ["pre-line", "lines"],
  ["pre", "kept"],
  ["pre-wrap", "kept"],
  ["break-spaces", "kept"],
]);

/** Undefined if an element inherits it. */
export function whiteSpaceOf(element: Element): WhiteSpace | undefined {
  const written = WHITE_SPACE.get(styleOf(element).get("white-space") ?? "");
  return written ?? (element.name === "pre" ? "kept" : undefined);
}

export function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0*\.?0+(?:[a-z]+|%)?$/.test(value);
}

/** Pixels that look like a blank line. */
const BLANK_LINE = 10;

/** Whether a box has the distance of a blank line above or below; undefined if its style doesn't say. */
export function isApart(element: Element, side: "top" | "bottom"): boolean | undefined {
  const style = styleOf(element);
  const distances = ["margin", "padding"].flatMap((property) => {
    const value = style.get(`${property}-${side}`) ?? sideOf(style.get(property), side);
    return value === undefined ? [] : [{ property, isWide: isWide(value) }];
  });
  if (distances.some((distance) => distance.isWide)) return true;
  return distances.some(({ property }) => property === "margin") ? false : undefined;
}

/** One side of a shorthand such as `0 auto 16px`. */
function sideOf(shorthand: string | undefined, side: "top" | "bottom"): string | undefined {
  const [top, , bottom = top] = shorthand?.split(/\s+/) ?? [];
  return side === "top" ? top : bottom;
}

function isWide(length: string): boolean {
  const value = Number.parseFloat(length);
  return /(?:px|pt|^\d+)$/.test(length) ? value >= BLANK_LINE : value > 0;
}
