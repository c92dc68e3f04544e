import type { EnvelopeClient } from "../state/view.js";

/** How much of a line of text a client's list has room for. */
export interface LineRoom {
  /** CSS pixels, or points of the phone, which are as large to the letters. */
  readonly width: number;
  readonly font: string;
  readonly lines: number;
}

export interface ClientList {
  readonly name: string;
  /** What the widths rest on, in a sentence. */
  readonly basis: string;
  readonly subject: LineRoom;
  /** Absent where it follows the subject on the same line, with what room that leaves. */
  readonly preheader?: LineRoom;
}

const apple = '-apple-system, "SF Pro Text", "Inter Variable", sans-serif';
const roboto = 'Roboto, "Inter Variable", sans-serif';
const segoe = '"Segoe UI", "Inter Variable", sans-serif';

/**
 * The widths that the envelope assumes, each of a usual device with the client's own settings as they come: no client says
 * how much it shows, and text size, density and width are the reader's. Where a client's font is not installed here, Inter
 * stands in, whose letters are about as wide.
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
      "412 dp screen (Pixel, Galaxy S), minus 72 for the sender's picture, 16 for the margin and 32 for the star; 14 sp text; comfortable density.",
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
      "New Outlook and Outlook on the web, with a 360-pixel message list beside the reading pane, minus 88 for picture and margins; 14-pixel text; one line each.",
    subject: { width: 272, font: `400 14px ${segoe}`, lines: 1 },
    preheader: { width: 272, font: `400 14px ${segoe}`, lines: 1 },
  },
};
