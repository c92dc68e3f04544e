import type { EmailDocument } from "../document/email-document.js";
import { BLACK, type Colour, WHITE } from "./colour.js";
import type { View } from "./media.js";

/** The colours that a client uses where an email sets none. */
export interface Canvas {
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
export function canvasOf(document: EmailDocument, { scheme }: View): Canvas | undefined {
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
  const rule = document.styleRules.find(({ selectors, within }) => within.length === 0 && selectors.some(isRoot));
  return rule?.declarations.findLast(({ property }) => property === "color-scheme")?.value;
}

function isRoot(selector: string): boolean {
  return selector === ":root" || selector === "html";
}

function supportsDark(document: EmailDocument): boolean {
  return /\bdark\b/.test(`${schemesInHead(document)} ${schemesInStyles(document)}`);
}
