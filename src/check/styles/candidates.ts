import type { SourcePosition } from "../../diagnostic.js";
import type { EmailDocument } from "../document/email-document.js";
import type { EmailElement } from "../document/nodes.js";
import { longhandsOf, presentationOf, UNKNOWN } from "./longhands.js";

/** One of the things that are said of a property of an element. */
export interface Candidate {
  readonly value: string;
  readonly within: readonly string[];
  /** Compared part by part: the greatest wins. */
  readonly rank: readonly [important: number, origin: number, specificity: number, order: number];
  at(element: EmailElement, document: EmailDocument): SourcePosition;
}

/** By properties, in the order in which they are said. */
export type Candidates = ReadonlyMap<string, readonly Candidate[]>;

export function byProperty(given: readonly (readonly [property: string, candidate: Candidate])[]): Candidates {
  const found = new Map<string, Candidate[]>();
  for (const [property, candidate] of given) {
    const others = found.get(property);
    if (others) others.push(candidate);
    else found.set(property, [candidate]);
  }
  return found;
}

/** The same few rules and style attributes come together again and again, in all documents. */
const joined = new WeakMap<Candidates, WeakMap<Candidates, Candidates>>();

/** All that is said, the second after the first. */
export function together(first: Candidates, second: Candidates): Candidates {
  let ofFirst = joined.get(first);
  if (!ofFirst) joined.set(first, (ofFirst = new WeakMap()));
  let both = ofFirst.get(second);
  if (!both) ofFirst.set(second, (both = join(first, second)));
  return both;
}

function join(first: Candidates, second: Candidates): Candidates {
  const both = new Map(first);
  for (const [property, candidates] of second) both.set(property, [...(first.get(property) ?? []), ...candidates]);
  return both;
}

/** What an attribute of its own gives an element for a property. */
export function presentation(element: EmailElement, property: string): Candidate | undefined {
  const hint = presentationOf(element, property);
  return hint && { value: hint.value, within: [], rank: [0, 0, 0, 0], at: (each) => each.at(hint.attribute) };
}

/** Few styles stand in many places, in one document and in all that share their parts. */
const inlines = new Map<string, Candidates>();
const MOST_KNOWN = 10_000;

/** What its style attribute gives an element. */
export function inlineOf(element: EmailElement): Candidates {
  const written = element.attribute("style") ?? "";
  let read = inlines.get(written);
  if (!read) {
    if (inlines.size >= MOST_KNOWN) inlines.clear();
    inlines.set(written, (read = readInline(element)));
  }
  return read;
}

function readInline(element: EmailElement): Candidates {
  if (isFilledIn(element)) return byProperty(INLINE.map((property) => [property, unknown(2)]));
  const given = element.style.flatMap(({ property: written, value, important }) =>
    longhandsOf({ property: written, value }).map(([property, longhand]) => {
      const rank = [Number(important), 2, 0, 0] as const;
      // Asked of the element at hand: what is remembered keeps no document.
      const candidate: Candidate = { value: longhand, within: [], rank, at: (each) => each.atStyle(written) };
      return [property, candidate] as const;
    }),
  );
  return byProperty(given);
}

/** Whether a style attribute has tags that stand for more than values. */
function isFilledIn({ attributes, style }: EmailElement): boolean {
  const written = attributes.get("style");
  if (!written?.includes("{{")) return false;
  const inValues = style.reduce((sum, { value }) => sum + count(value), 0);
  return /\{\{\s*[#^]/.test(written) || inValues < count(written);
}

function count(text: string): number {
  return text.split("{{").length - 1;
}

/** What is then not known of the element itself. */
const INLINE = [
  "color",
  "background-color",
  "background-image",
  "font-family",
  "font-size",
  "font-weight",
  "line-height",
  "display",
  "width",
  "max-width",
];

/** What a tag decides. */
export function unknown(origin: number): Candidate {
  return { value: UNKNOWN, within: [], rank: [0, origin, Infinity, 0], at: (element) => element.at() };
}
