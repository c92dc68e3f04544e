import type { EnvelopeClient } from "../state/view.js";
import { padding, seenWords } from "../../src/preview/filler.js";

/** The room that a client's list has for a line of text. */
export interface LineRoom {
  /** In CSS pixels, or in points on a phone, which are the same size for text. */
  readonly width: number;
  readonly font: string;
  readonly lines: number;
}

interface ClientList {
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

/** The width of text in a font. */
export type Measure = (text: string, font: string) => number;

/** Text as a list shows it: the part up to the cut, and the part that is not visible. */
export interface Cut {
  readonly shown: string;
  readonly rest: string;
}

/**
 * Cuts text where the room ends, between two user-perceived characters, with room for the ellipsis that clients add.
 */
export const cutOff = (text: string, room: LineRoom, measure: Measure): Cut => {
  let from = 0;
  for (let line = 1; line < room.lines; line += 1) from = wrapped(text, from, room, measure);
  if (measure(text.slice(from), room.font) <= room.width) return { shown: text, rest: "" };
  const width = room.width - measure("…", room.font);
  const end = from + fitting(text.slice(from), { ...room, width }, measure);
  return { shown: text.slice(0, end), rest: text.slice(end) };
};

/** Number of UTF-16 units that fit on a line. Found by bisection, because longer text is wider. */
const fitting = (text: string, room: LineRoom, measure: Measure): number => {
  const ends = [0, ...characterEnds(text)];
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(text.slice(0, ends[middle]), room.font) <= room.width) low = middle;
    else high = middle - 1;
  }
  return ends[low] ?? 0;
};

/** Start of the next line: after the last space that fits, otherwise within the word. */
const wrapped = (text: string, from: number, room: LineRoom, measure: Measure): number => {
  const rest = text.slice(from);
  const end = fitting(rest, room, measure);
  if (end >= rest.length || /\s/.test(rest[end] ?? "")) return from + end;
  const space = rest.slice(0, end).search(/\s\S*$/);
  return from + (space > 0 ? space + 1 : end);
};

let segmenter: Intl.Segmenter | undefined;

/** The end of each user-perceived character, in UTF-16 units. */
export function characterEnds(text: string): number[] {
  // Creating a segmenter takes longer than segmenting most texts.
  if (/^[ -~]*$/.test(text)) return Array.from(text, (_, index) => index + 1);
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ index, segment }) => index + segment.length);
}

/** What a list of emails shows after the subject. */
export interface FirstWords {
  /** The preheader: hidden text at the start of the body. */
  readonly preheader: string;
  /** The start of the visible body, as far as lists show it after the preheader. */
  readonly rest: string;
}

/** Maximum length that the widest list shows. */
const longest = 300;

const wordless = new Set(["HEAD", "STYLE", "SCRIPT", "TITLE", "TEMPLATE", "TEXTAREA"]);
const blocks = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE BR CENTER DD DIV DL DT FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN OL P SECTION TABLE TD TH TR UL".split(
    " ",
  ),
);

const hides =
  /display\s*:\s*none|visibility\s*:\s*hidden|max-height\s*:\s*0|opacity\s*:\s*0(?![.\d])|mso-hide\s*:\s*all|font-size\s*:\s*[01](?:px|pt)?\s*(?:;|!|$)|(?<!-)color\s*:\s*transparent/i;

/** Reads a filled HTML body. */
export const firstWordsOf = (html: string): FirstWords => {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  const words = { hidden: "", seen: "" };
  const isEnough = () => words.seen.length > longest || padding.test(words.hidden + words.seen);

  const read = (node: Node, isHidden: boolean): void => {
    if (isEnough()) return;
    if (node instanceof Text) {
      // Hidden text further below is not the preheader; it belongs to the rest.
      if (isHidden && words.seen.trim() === "") words.hidden += node.data;
      else words.seen += node.data;
    } else if (node instanceof Element && !wordless.has(node.tagName)) {
      const hidden = isHidden || node.hasAttribute("hidden") || hides.test(node.getAttribute("style") ?? "");
      node.childNodes.forEach((child) => read(child, hidden));
      if (blocks.has(node.tagName)) words[hidden && words.seen.trim() === "" ? "hidden" : "seen"] += " ";
    }
  };
  read(body, false);
  const [before = "", ...after] = words.hidden.split(padding);
  const isPadded = after.length > 0;
  const rest = isPadded ? "" : seenWords(words.seen.split(padding)[0] ?? "").slice(0, longest);
  return { preheader: seenWords(before), rest };
};
