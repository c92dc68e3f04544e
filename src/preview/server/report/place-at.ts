import type { EmailDocument } from "../../../check/document/email-document.js";
import type { SourcePosition } from "../../../diagnostic.js";
import { scanMarkup, VOID_ELEMENTS } from "../../../text/markup/scan.js";
import type { Places } from "./places.js";

/** Finds the element for a source position: the innermost that contains it. */
export type PlaceAt = (position: SourcePosition) => number | undefined;

/** @returns Undefined for positions outside all elements, such as styles at the end of a component's file. */
export function placeFinder(document: EmailDocument, places: Places): PlaceAt {
  const files = new Map<string, SourcePlaces | undefined>();
  const byFile = byFileOf(document, places);
  return ({ file, line, column }) => {
    if (line === undefined) return undefined;
    if (!files.has(file)) {
      const text = document.input.sources.get(file);
      const written = byFile.get(file);
      files.set(file, text === undefined || !written ? undefined : new SourcePlaces(file, text, written));
    }
    return files.get(file)?.at(line, column ?? 1);
  };
}

interface Written {
  readonly line: number;
  readonly column: number;
  readonly place: number;
}

/** If several elements were written in one place, such as a button's table and link, the outermost is used. */
function byFileOf(document: EmailDocument, places: Places): Map<string, readonly Written[]> {
  const files = new Map<string, Map<string, Written>>();
  for (const element of document.elements) {
    const { file, line, column } = element.place?.at ?? {};
    const place = places.indexOf(element);
    if (file === undefined || line === undefined || column === undefined || place === undefined) continue;
    const written = files.get(file) ?? new Map<string, Written>();
    files.set(file, written);
    const key = `${line}:${column}`;
    if (!written.has(key)) written.set(key, { line, column, place });
  }
  return new Map(Array.from(files, ([file, written]) => [file, [...written.values()]]));
}

/** The elements that were written in one file. */
class SourcePlaces {
  readonly #text: string;
  readonly #lineStarts: readonly number[];
  readonly #isCode: boolean;
  /** Places by the offsets of their elements' tags, in file order. */
  readonly #starts: readonly (readonly [offset: number, place: number])[];
  #elements: readonly MarkupElement[] | undefined;

  constructor(file: string, text: string, written: readonly Written[]) {
    this.#text = text;
    this.#isCode = /\.[cm]?[jt]sx?$/.test(file);
    this.#lineStarts = lineStartsOf(text);
    this.#starts = written
      .map(({ line, column, place }) => [this.#offsetOf(line, column), place] as const)
      .toSorted(([a], [b]) => a - b);
  }

  at(line: number, column: number): number | undefined {
    const offset = this.#offsetOf(line, column);
    return this.#isCode ? this.#inCode(offset) : this.#inMarkup(offset);
  }

  #offsetOf(line: number, column: number): number {
    return (this.#lineStarts[line - 1] ?? this.#text.length) + column - 1;
  }

  #inMarkup(offset: number): number | undefined {
    this.#elements ??= elementsIn(this.#text);
    const places = new Map(this.#starts);
    const around = this.#elements.filter(({ start, end }) => start <= offset && offset < end);
    const placed = around.findLast(({ start }) => places.has(start));
    return placed && places.get(placed.start);
  }

  /** For elements in code: an element that was not closed before the position contains it. */
  #inCode(offset: number): number | undefined {
    for (const [start, place] of this.#starts.toReversed()) {
      if (start > offset) continue;
      const between = this.#text.slice(start + 1, offset);
      const closed = between.match(/<\/|\/>/g)?.length ?? 0;
      const opened = between.match(/<[A-Za-z>]/g)?.length ?? 0;
      if (closed <= opened) return place;
    }
    return undefined;
  }
}

interface MarkupElement {
  readonly start: number;
  readonly end: number;
}

/** In order of their start. */
function elementsIn(text: string): MarkupElement[] {
  const elements: { start: number; end: number }[] = [];
  const open: { name: string; element: { start: number; end: number } }[] = [];
  for (const piece of scanMarkup(text).pieces) {
    if (piece.kind === "open") {
      const element = { start: piece.start, end: piece.end };
      elements.push(element);
      if (!piece.selfClosing && !VOID_ELEMENTS.has(piece.name)) open.push({ name: piece.name, element });
    } else if (piece.kind === "close") {
      const depth = open.findLastIndex(({ name }) => name === piece.name);
      for (const { element } of depth < 0 ? [] : open.splice(depth)) element.end = piece.end;
    }
  }
  for (const { element } of open) element.end = text.length;
  return elements;
}

function lineStartsOf(text: string): number[] {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  return starts;
}
