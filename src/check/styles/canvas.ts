import type { EmailDocument } from "../document/email-document.js";
import { BLACK, type Colour, WHITE } from "./colour.js";
import type { View } from "./media.js";

/** What a client paints where nobody says anything. */
export interface Canvas {
  readonly text: Colour;
  readonly background: Colour;
  /** The links' blue differs from client to client. */
  readonly links: readonly Colour[];
}

/** The standard's blue and Gmail's. */
const LINKS: readonly Colour[] = [
  { mode: "rgb", r: 0, g: 0, b: 0xee / 255 },
  { mode: "rgb", r: 0x11 / 255, g: 0x55 / 255, b: 0xcc / 255 },
];

/**
 * The colours of a client where an email has none. In the dark they are turned round for emails that say that they know
 * the dark scheme, and what a client does with others is its own matter.
 *
 * @see https://webkit.org/blog/8840/dark-mode-support-in-webkit/
 */
export function canvasOf(document: EmailDocument, { scheme }: View): Canvas | undefined {
  if (scheme === "light") return { text: BLACK, background: WHITE, links: LINKS };
  return knowsDark(document) ? { text: WHITE, background: BLACK, links: [] } : undefined;
}

/** Whether an email has styles of its own for the dark. */
export function hasDarkStyles(document: EmailDocument): boolean {
  return document.atRules.some(
    ({ name, prelude }) => name === "media" && /prefers-color-scheme\s*:\s*dark/i.test(prelude),
  );
}

/** What `<meta name="color-scheme">` says. */
export function schemesInHead(document: EmailDocument): string | undefined {
  const meta = document.named("meta").find((each) => each.attribute("name")?.trim().toLowerCase() === "color-scheme");
  return meta?.attribute("content");
}

/** What `:root { color-scheme: … }` says. */
export function schemesInStyles(document: EmailDocument): string | undefined {
  const rule = document.styleRules.find(({ selectors, within }) => within.length === 0 && selectors.some(isRoot));
  return rule?.declarations.findLast(({ property }) => property === "color-scheme")?.value;
}

function isRoot(selector: string): boolean {
  return selector === ":root" || selector === "html";
}

function knowsDark(document: EmailDocument): boolean {
  return /\bdark\b/.test(`${schemesInHead(document)} ${schemesInStyles(document)}`);
}
