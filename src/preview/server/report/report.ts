import {
  checkedTemplate,
  cachedFileReader,
  type HasPositionedHtml,
  type ReadText,
} from "../../../check/checked-template.js";
import type { CheckSettings } from "../../../check/rule.js";
import type { Diagnostic, SourcePosition } from "../../../diagnostic.js";
import type { CompiledTemplate, CompileResult } from "../../../project/template.js";
import type { SizeReport, TemplateReport } from "../../contract.js";
import { imagesOf, linksOf } from "./addresses.js";
import { type Places, placesOf } from "./places.js";
import { problemsOf, pathsRelativeTo } from "./problems.js";
import { variablesOf } from "./variables.js";
import { BODY_MAX, DESCRIPTION_MAX, NAME_MAX, SUBJECT_MAX } from "../../../api/limits.js";
import { GMAIL_SHOWS } from "../../../check/rules/limits/gmail-clipping.js";
import { renderMustache } from "../../../mustache/fill.js";
import { supportData } from "../../../check/client-support/data.js";
import { clientSupportOf } from "./client-support.js";
import type { EmailDocument } from "../../../check/document/email-document.js";
import { scanMarkup, VOID_ELEMENTS } from "../../../text/markup/scan.js";

export interface ReportInput extends HasPositionedHtml {
  readonly name: string;
  readonly revision: number;
  /** Whether rules have yet to run. */
  readonly isPartial: boolean;
  /** The project's folder, absolute. */
  readonly folder: string;
  /** Diagnostics of the newest sources, after silences and configured severities. */
  readonly diagnostics: readonly Diagnostic[];
  /** The result whose bodies the page shows, if any. `sited` belongs to its HTML. */
  readonly shown?: CompileResult | undefined;
  /** Whether the newest sources did not compile, so that the shown version is older than the diagnostics. */
  readonly isBroken?: boolean | undefined;
  readonly settings: CheckSettings;
  /** Reads a source's text with normalised line ends. Default: from disk. */
  readonly read?: ReadText | undefined;
}

/** A template's report, which the page's panels show. */
export function reportOf(input: ReportInput): TemplateReport {
  const { name, revision, isPartial, isBroken = false, folder, diagnostics, shown } = input;
  const read = input.read ?? cachedFileReader();
  const head = { name, revision, isPartial, isBroken };
  const compiled = shown?.compiled;
  if (!shown || !compiled) {
    return {
      ...head,
      problems: problemsOf(diagnostics, { folder, read }),
      places: [],
      links: [],
      images: [],
      clients: { date: supportData().date, clients: [] },
      sizes: [],
      variables: [],
      computed: [],
    };
  }
  return { ...head, ...reportOfCompiled({ ...shown, compiled }, { ...input, read }) };
}

function reportOfCompiled(
  shown: CompileResult & { readonly compiled: CompiledTemplate },
  { folder, diagnostics, isBroken, sited, settings, read }: ReportInput & { readonly read: ReadText },
): Omit<TemplateReport, "name" | "revision" | "isPartial" | "isBroken"> {
  const checked = checkedTemplate(shown, { sited }, { settings, read });
  const { document, compiled } = checked;
  const shownPath = pathsRelativeTo(folder);
  const places = placesOf(shown, document, shownPath);
  // Positions in newer sources say nothing about this HTML.
  const placeAt = isBroken ? undefined : placeFinder(document, places);
  const current = isBroken ? [] : diagnostics;
  return {
    problems: problemsOf(diagnostics, { folder, read, ...(placeAt && { placeAt }) }),
    places: places.list,
    links: linksOf(checked, places, current),
    images: imagesOf(checked, places, current),
    clients: clientSupportOf(document, settings.clients, { places, shownPath }),
    sizes: sizesOf(compiled),
    ...variablesOf(checked, places, shownPath),
  };
}

const REFUSED = "The service rejects templates above this limit.";
const CLIPPED = "Gmail clips longer messages and hides the rest behind a link.";

/**
 * The sizes of a compiled template compared with the service's limits, and of its filled HTML compared with Gmail's.
 */
function sizesOf(compiled: CompiledTemplate): readonly SizeReport[] {
  const { name, description, subject, html_body, text_body } = compiled;
  const field = (title: string, text: string, limit: number): SizeReport => ({
    name: title,
    value: text.length,
    limit,
    unit: "characters",
    consequence: REFUSED,
  });
  return [
    filledHtml(compiled),
    field("HTML body", html_body, BODY_MAX),
    field("Text body", text_body, BODY_MAX),
    field("Subject", subject, SUBJECT_MAX),
    field("Description", description, DESCRIPTION_MAX),
    field("Name", name, NAME_MAX),
  ];
}

function filledHtml({ html_body: html, fixtures }: CompiledTemplate): SizeReport {
  const limit = { limit: GMAIL_SHOWS, unit: "bytes", consequence: CLIPPED } as const;
  const [first, ...others] = fixtures.map(({ name, variables }) => ({
    fixture: name,
    value: Buffer.byteLength(renderMustache(html, variables, { escape: "html" })),
  }));
  if (!first) return { name: "HTML with tags", value: Buffer.byteLength(html), ...limit };
  const largest = others.reduce((a, b) => (b.value > a.value ? b : a), first);
  return { name: "Filled HTML", ...largest, ...limit };
}

/** Finds the element for a source position: the innermost that contains it. */
type PlaceAt = (position: SourcePosition) => number | undefined;

/** @returns Undefined for positions outside all elements, such as styles at the end of a component's file. */
function placeFinder(document: EmailDocument, places: Places): PlaceAt {
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
