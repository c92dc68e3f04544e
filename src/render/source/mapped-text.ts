import type { SourcePosition } from "../../diagnostic.js";
import { positionsIn } from "../../text/position.js";
import type { SourceFile } from "../../project/template.js";
import path from "node:path";
import { isConditionalComment, scanMarkup, SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import type { Tokenised } from "../../mustache/tokens.js";

/** A part of the text, up to the next run, that is contiguous in one file. */
interface Run {
  readonly start: number;
  /** The file, after those that led to it: the template's body first. */
  readonly chain: readonly SourceFile[];
  readonly offset: number;
}

const NO_FILE: SourceFile = { file: "", text: "" };

/** Cached, because a sited compile looks up every element of a file. */
const positions = new WeakMap<SourceFile, ReturnType<typeof positionsIn>>();

/** A string assembled from several files that knows the source position of each of its characters. */
export class MappedText {
  readonly text: string;
  readonly #runs: readonly Run[];

  constructor(text: string, runs: readonly Run[]) {
    this.text = text;
    this.#runs = runs;
  }

  /** The source position of the character at an offset, or of the nearest one before it. */
  positionAt(offset: number): SourcePosition {
    const index = this.#runIndexAt(offset);
    const run = this.#runs[index];
    if (!run) throw new RangeError("A mapped text has at least one run.");
    const length = Math.min(offset, this.#runs[index + 1]?.start ?? Infinity) - run.start;
    const source = run.chain.at(-1) ?? NO_FILE;
    const position = positions.get(source) ?? positionsIn(source.text);
    positions.set(source, position);
    return { file: source.file, ...position(run.offset + length) };
  }

  /** The file of the character at an offset, after those that led to it. */
  chainAt(offset: number): readonly SourceFile[] {
    return this.#runs[this.#runIndexAt(offset)]?.chain ?? [];
  }

  /** The runs of a part of the text, shifted so that the part begins at `start`. */
  *runsOf(from: number, to: number, start: number): Generator<Run> {
    for (let index = this.#runIndexAt(from); index < this.#runs.length; index += 1) {
      const run = this.#runs[index];
      if (!run || run.start >= to) return;
      const cut = Math.max(0, from - run.start);
      yield { ...run, start: start + run.start + cut - from, offset: run.offset + cut };
    }
  }

  #runIndexAt(offset: number): number {
    let first = 0;
    let past = this.#runs.length;
    while (past - first > 1) {
      const middle = (first + past) >> 1;
      if ((this.#runs[middle]?.start ?? 0) <= offset) first = middle;
      else past = middle;
    }
    return first;
  }
}

/** Builds a mapped text from parts of others. */
export class MappedTextBuilder {
  #text = "";
  readonly #runs: Run[] = [];

  /** Appends text from this offset of the chain's last file. */
  append(text: string, chain: readonly SourceFile[], offset: number): void {
    this.#runs.push({ start: this.#text.length, chain, offset });
    this.#text += text;
  }

  /** Appends text that replaces what is at this offset of another mapped text. */
  appendWritten(text: string, from: MappedText, start: number): void {
    this.#append(from, start, start + 1);
    this.#text += text;
  }

  /** Appends a part of another mapped text; `indent` is inserted before each of its lines. */
  appendPart(from: MappedText, start = 0, end = from.text.length, indent = ""): void {
    if (indent === "") {
      this.#append(from, start, end);
      this.#text += from.text.slice(start, end);
      return;
    }
    for (let line = start; line < end;) {
      const newline = from.text.indexOf("\n", line);
      const next = newline < 0 || newline >= end ? end : newline + 1;
      this.#text += indent;
      this.appendPart(from, line, next);
      line = next;
    }
  }

  /** Pushed one by one: a string may have more runs than a call can have arguments. */
  #append(from: MappedText, start: number, end: number): void {
    for (const run of from.runsOf(start, end, this.#text.length)) this.#runs.push(run);
  }

  build(): MappedText {
    return new MappedText(this.#text, this.#runs);
  }
}

/**
 * A note on how a part came to be included, for the end of a message.
 *
 * @example
 * chainNote([receipt, footer]); // " (receipt.mjml → ../_shared/footer.mjml)"
 * chainNote([receipt]); // ""
 */
export function chainNote(chain: readonly SourceFile[]): string {
  const [body, ...parts] = chain;
  if (!body || parts.length === 0) return "";
  const folder = path.dirname(body.file);
  const relativePaths = parts.map(({ file }) => path.relative(folder, file).replaceAll(path.sep, "/"));
  return ` (${[path.basename(body.file), ...relativePaths].join(" → ")})`;
}

/** Tokenised HTML with the source positions of its elements. */
export interface PositionedHtml extends Tokenised {
  /** The positions that the numbers in its sites refer to. */
  readonly places: readonly RecordedPosition[];
}

const SITES = new RegExp(` ${SITE_ATTRIBUTE}="\\d+"`, "g");

/** The HTML without the attributes of a sited compile. */
export function removeSites(html: string): string {
  return html.includes(SITE_ATTRIBUTE) ? html.replace(SITES, "") : html;
}

/** A site as an attribute, with a space before it. */
export function siteAttribute(site: string): string {
  return ` ${SITE_ATTRIBUTE}="${site}"`;
}

/**
 * Numbers the source positions of a sited compile.
 *
 * @example
 * const sites = new SiteTable();
 * sites.mark("<p>Hi</p>", mapped, 7); // '<p data-lettershop-at="0">Hi</p>'
 * sites.places; // [{ at: { file: "/app/templates/hi.html", line: 2, column: 3 }, note: "" }]
 */
export class SiteTable {
  readonly places: RecordedPosition[] = [];

  /** Adds the source position at an offset of a mapped text, and returns its number. */
  siteOf(mapped: MappedText, offset: number): string {
    return String(this.places.push({ at: mapped.positionAt(offset), note: chainNote(mapped.chainAt(offset)) }) - 1);
  }

  /**
   * Adds a site to every open tag in a part of a mapped text, including tags in conditional comments that only Outlook
   * reads.
   *
   * @param start The offset of the part.
   */
  mark(html: string, mapped: MappedText, start: number): string {
    let marked = "";
    let from = 0;
    for (const tag of openTags(html)) {
      marked += html.slice(from, tag.end) + siteAttribute(this.siteOf(mapped, start + tag.start));
      from = tag.end;
    }
    return marked + html.slice(from);
  }

  /** The same for a whole mapped text. */
  markAll(mapped: MappedText): MappedText {
    const builder = new MappedTextBuilder();
    let from = 0;
    for (const { start, end } of openTags(mapped.text)) {
      builder.appendPart(mapped, from, end);
      builder.appendWritten(siteAttribute(this.siteOf(mapped, start)), mapped, start);
      from = end;
    }
    builder.appendPart(mapped, from);
    return builder.build();
  }
}

/** The beginning of each open tag, and the end of its name. */
function* openTags(html: string, from = 0): Generator<{ readonly start: number; readonly end: number }> {
  for (const piece of scanMarkup(html).pieces) {
    const start = from + piece.start;
    if (piece.kind === "open") yield { start, end: start + 1 + piece.name.length };
    if (piece.kind !== "comment") continue;
    const [, opening = "", inner = ""] = BLOCK.exec(html.slice(piece.start, piece.end)) ?? [];
    if (isConditionalComment(opening)) yield* openTags(inner, start + opening.length);
  }
}

/** A conditional comment that contains all of its content. */
const BLOCK = /^(<!--\[if[^\]]*\]>)(?!<!--)([^]*)<!\[endif\]-->$/;

/** A position in one of a template's files. */
export interface RecordedPosition {
  readonly at: SourcePosition;
  /** A note on how the file came to be included, for the end of a message; empty for the template's body. */
  readonly note: string;
}

/** Finds the source position of a string that compiling has not changed. */
export type Locate = (written: string) => RecordedPosition | undefined;

export function locator(texts: readonly MappedText[]): Locate {
  return (written) => {
    const source = texts.find(({ text }) => text.includes(written));
    if (!source) return undefined;
    const offset = source.text.indexOf(written);
    return { at: source.positionAt(offset), note: chainNote(source.chainAt(offset)) };
  };
}
