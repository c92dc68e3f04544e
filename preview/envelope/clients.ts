import type { EnvelopeClient } from "../state/view.js";

/** The room that a client's list has for a line of text. */
export interface LineRoom {
  /** In CSS pixels, or in points on a phone, which are the same size for text. */
  readonly width: number;
  readonly font: string;
  readonly lines: number;
}

export interface ClientList {
  readonly name: string;
  /** A sentence about how the widths were determined. */
  readonly basis: string;
  readonly subject: LineRoom;
  /** Undefined if the preheader follows the subject on the same line and gets the remaining room. */
  readonly preheader?: LineRoom;
}

const apple = '-apple-system, "SF Pro Text", "Inter Variable", sans-serif';
const roboto = 'Roboto, "Inter Variable", sans-serif';
const segoe = '"Segoe UI", "Inter Variable", sans-serif';

/**
 * The widths assumed by the envelope, each for a common device with the client's default settings. No client documents
 * how much it shows, and text size, density and width depend on the recipient. If a client's font is not installed
 * here, Inter is used, which is about as wide.
 */
export const clientLists: Readonly<Record<EnvelopeClient, ClientList>> = {
  iphone: {
    name: "iPhone Mail",
    basis:
      "393-point screen (iPhone 15 and 16), minus 52 for margins and the unread dot; 15-point text; two preview lines, the default.",
    subject: { width: 341, font: `400 15px ${apple}`, lines: 1 },
    preheader: { width: 341, font: `400 15px ${apple}`, lines: 2 },
  },
  "gmail-android": {
    name: "Gmail on Android",
    basis:
      "412 dp screen (Pixel, Galaxy S), minus 72 for the sender's photo, 16 for the margin and 32 for the star; 14 sp text; comfortable density.",
    subject: { width: 308, font: `400 14px ${roboto}`, lines: 1 },
    preheader: { width: 308, font: `400 14px ${roboto}`, lines: 1 },
  },
  "gmail-web": {
    name: "Gmail on the web",
    basis:
      "1,440-pixel window, minus 256 for the menu, 56 for the side panel and about 360 for sender, icons and date; 14-pixel text; preheader on the subject's line.",
    subject: { width: 768, font: `400 14px ${roboto}`, lines: 1 },
  },
  outlook: {
    name: "Outlook",
    basis:
      "New Outlook and Outlook on the web, with a 360-pixel message list next to the reading pane, minus 88 for the sender's photo and margins; 14-pixel text; one line each.",
    subject: { width: 272, font: `400 14px ${segoe}`, lines: 1 },
    preheader: { width: 272, font: `400 14px ${segoe}`, lines: 1 },
  },
};
