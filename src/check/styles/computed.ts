import { memoizeByObject } from "../../cache/memoize.js";
import type { EmailElement } from "../document/nodes.js";
import { alphaOf, BLACK, over, readColour, WHITE, type Colour } from "./colour.js";
import { cascadedString, cascadedValue, type CascadedValue } from "./cascade.js";
import type { MediaContext } from "./matching.js";
import type { EmailDocument } from "../document/email-document.js";
import { entryOf } from "../../values.js";

/** A visible colour, and the value that set it: undefined if it is the client's default. */
export interface PaintedColour {
  readonly colour: Colour;
  readonly by?: { readonly element: EmailElement; readonly given: CascadedValue };
}

/**
 * The colours that an element's text may have in a view: several for a link for which no colour is set.
 *
 * @returns undefined if the colour is unknown, for example because a tag decides it.
 */
export function textColours(element: EmailElement, view: MediaContext): readonly PaintedColour[] | undefined {
  return isFaded(element, view) ? undefined : inheritedColours(element, view);
}

const inheritedColours: ElementQuery<readonly PaintedColour[] | undefined> = memoizeByElement((element, view) => {
  const given = cascadedValue(element, "color", view);
  if (given && !INHERITED.test(given.value)) {
    const colour = readColour(given.value);
    return colour && [{ colour, by: { element, given } }];
  }
  if (!given && element.name === "a" && element.attributes.has("href")) {
    return canvasOf(element.document, view)?.links.map((colour) => ({ colour }));
  }
  if (element.parent) return inheritedColours(element.parent, view);
  const canvas = canvasOf(element.document, view);
  return canvas && [{ colour: canvas.text }];
});

const INHERITED = /^(?:inherit|unset|currentcolor)$/;

/** Whether opacity, a blend mode or a fill colour changes the colour of the text in a way that is not computed here. */
const isFaded: ElementQuery<boolean> = memoizeByElement((element, view) => {
  const opacity = cascadedString(element, "opacity", view) ?? "1";
  if (!/^(?:1(?:\.0+)?|100%)$/.test(opacity)) return true;
  if (["-webkit-text-fill-color", "mix-blend-mode"].some((name) => cascadedString(element, name, view) !== undefined))
    return true;
  return element.parent !== undefined && isFaded(element.parent, view);
});

/**
 * The colour behind the text of an element.
 *
 * @returns undefined if it is unknown because of an image, a gradient, a tag or an overlapping element.
 */
export const backgroundOf: ElementQuery<PaintedColour | undefined> = memoizeByElement((element, view) => {
  if (isMoved(element, view) || imageOf(element, view)) return undefined;
  const given = cascadedValue(element, "background-color", view);
  const colour = given && readColour(given.value);
  if (given && !colour) return undefined;
  const own = given && colour && alphaOf(colour) > 0 ? { colour, by: { element, given } } : undefined;
  if (own && alphaOf(own.colour) >= 1) return own;
  const canvas = canvasOf(element.document, view);
  const below = element.parent ? backgroundOf(element.parent, view) : canvas && { colour: canvas.background };
  return own && below ? { ...own, colour: over(own.colour, below.colour) } : below;
});

/** An element's background image in a view: a URL or a gradient. */
export function imageOf(element: EmailElement, view: MediaContext): CascadedValue | undefined {
  const given = cascadedValue(element, "background-image", view);
  return given && !/^(?:none|initial|)$/.test(given.value) ? given : undefined;
}

/** Whether an element may be painted over elements other than its ancestors. */
export function isMoved(element: EmailElement, view: MediaContext): boolean {
  if (/absolute|fixed|\{\{/.test(cascadedString(element, "position", view) ?? "")) return true;
  return MARGINS.some((property) => /(?:^|\s)-\d|\{\{/.test(cascadedString(element, property, view) ?? ""));
}

const MARGINS: readonly string[] = ["margin", "margin-top", "margin-left"];

/** The colours that a client uses where an email sets none. */
interface Canvas {
  readonly text: Colour;
  readonly background: Colour;
  /** The blue of links differs between clients. */
  readonly links: readonly Colour[];
}

/** The blue of the HTML standard and that of Gmail. */
const LINKS: readonly Colour[] = [
  { mode: "rgb", r: 0, g: 0, b: 0xee / 255 },
  { mode: "rgb", r: 0x11 / 255, g: 0x55 / 255, b: 0xcc / 255 },
];

/**
 * A client's default colours. In dark mode they are inverted for emails that declare the dark colour scheme.
 *
 * @returns undefined for other emails in dark mode: what clients do with them differs.
 *
 * @see https://webkit.org/blog/8840/dark-mode-support-in-webkit/
 */
export function canvasOf(document: EmailDocument, { scheme }: MediaContext): Canvas | undefined {
  if (scheme === "light") return { text: BLACK, background: WHITE, links: LINKS };
  return supportsDark(document) ? { text: WHITE, background: BLACK, links: [] } : undefined;
}

/** Whether an email has styles for dark mode. */
export function hasDarkStyles(document: EmailDocument): boolean {
  return document.atRules.some(
    ({ name, prelude }) => name === "media" && /prefers-color-scheme\s*:\s*dark/i.test(prelude),
  );
}

/** The content of `<meta name="color-scheme">`. */
export function schemesInHead(document: EmailDocument): string | undefined {
  const meta = document.named("meta").find((each) => each.attribute("name")?.trim().toLowerCase() === "color-scheme");
  return meta?.attribute("content");
}

/** The value of `:root { color-scheme: … }`. */
export function schemesInStyles(document: EmailDocument): string | undefined {
  const rule = document.styleRules.find(
    ({ selectors, within }) => within.length === 0 && [":root", "html"].some((root) => selectors.includes(root)),
  );
  return rule?.declarations.findLast(({ property }) => property === "color-scheme")?.value;
}

function supportsDark(document: EmailDocument): boolean {
  return /\bdark\b/.test(`${schemesInHead(document)} ${schemesInStyles(document)}`);
}

/** The font size of an element in pixels; undefined if it is unknown. */
export const fontSizeOf: ElementQuery<number | undefined> = memoizeByElement((element, view) => {
  const { parent } = element;
  const own = cascadedString(element, "font-size", view) ?? entryOf(DEFAULT_SIZES, element.name);
  const inherited = (): number | undefined => (parent ? fontSizeOf(parent, view) : 16);
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
const isBold: ElementQuery<boolean | undefined> = memoizeByElement((element, view) => {
  const own = cascadedString(element, "font-weight", view);
  if (own === undefined && BOLD.has(element.name)) return true;
  if (own === undefined || own === "inherit") return element.parent ? isBold(element.parent, view) : false;
  if (!/^(?:bold|bolder|normal|lighter|initial|\d+)$/.test(own)) return undefined;
  return own.startsWith("bold") || Number(own) >= 700;
});

/**
 * Whether an element's text is large according to WCAG: at least 24 pixels, or bold and at least 18.66 pixels. Unknown sizes
 * and weights count as large and bold.
 *
 * @see https://www.w3.org/TR/WCAG22/#dfn-large-scale
 */
export function isLargeText(element: EmailElement, view: MediaContext): boolean {
  const size = fontSizeOf(element, view);
  if (size === undefined || size >= 24) return true;
  return size >= 18.66 && isBold(element, view) !== false;
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

/**
 * Whether an element is invisible in a view: a preheader, its padding, or content for certain clients. Content for phones
 * counts as hidden in wider views.
 */
export const isHidden: ElementQuery<boolean> = memoizeByElement((element, view) => {
  if (hidesItself(element, view)) return true;
  return element.parent !== undefined && isHidden(element.parent, view);
});

function hidesItself(element: EmailElement, view: MediaContext): boolean {
  if (NEVER_SHOWN.has(element.name) || element.attributes.has("hidden")) return true;
  const value = (property: string): string => cascadedString(element, property, view) ?? "";
  if (value("display") === "none" || value("visibility") === "hidden" || isZero(value("opacity"))) return true;
  // Columns may have a font size of 0 too, but the elements in them set their own.
  if (/^(?:0|0?\.\d+|1)(?:px|pt|em)?$/.test(value("font-size")) && element.elements.length === 0) return true;
  return value("overflow") === "hidden" && (isZero(value("max-height")) || isZero(value("height")));
}

export function isZero(value: string): boolean {
  return /^0(?:\.0+)?(?:px|pt|em|%)?$/.test(value);
}

const NEVER_SHOWN: ReadonlySet<string> = new Set(["head", "style", "script", "title", "template", "noscript", "svg"]);

/** A function of an element in a view. */
type ElementQuery<Answer> = (element: EmailElement, view: MediaContext) => Answer;

/**
 * Caches a function's results: every descendant needs its ancestors' inherited values. By document first, so that all
 * results of a template can go at once.
 */
function memoizeByElement<Answer>(question: ElementQuery<Answer>): ElementQuery<Answer> {
  const answers = memoizeByObject((_document: EmailDocument) =>
    memoizeByObject((view: MediaContext) => memoizeByObject((element: EmailElement) => question(element, view))),
  );
  return (element, view) => answers(element.document)(view)(element);
}
