import type { SourcePosition } from "../../diagnostic.js";
import { positionsIn } from "../../text/position.js";
import type { SourceFile } from "../../project/template.js";
import path from "node:path";
import { CONDITIONAL_BLOCK, scanMarkup, SITE_ATTRIBUTE } from "../../text/markup/scan.js";
import type { ProtectedText, Tokenised } from "../../mustache/tokens.js";

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

/** A range of a mapped text, and what replaces it. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  /** A string gets the source position of the range. */
  readonly by: string | MappedText;
}

/** A string assembled from several files that knows the source position of each of its characters. */
export class MappedText {
  readonly text: string;
  readonly #runs: readonly Run[];

  private constructor(text: string, runs: readonly Run[]) {
    this.text = text;
    this.#runs = runs;
  }

  /** Contiguous pieces of the chain's last file. */
  static of(pieces: ProtectedText["pieces"], chain: readonly SourceFile[]): MappedText {
    let start = 0;
    const runs = pieces.map(({ text, offset }): Run => {
      start += text.length;
      return { start: start - text.length, chain, offset };
    });
    return new MappedText(pieces.map(({ text }) => text).join(""), runs);
  }

  /** @param replacements In the order of the text. */
  replaced(replacements: readonly Replacement[]): MappedText {
    if (replacements.length === 0) return this;
    const runs: Run[] = [];
    let text = "";
    let from = 0;
    // Pushed one by one: a string may have more runs than a call can have arguments.
    const append = (part: MappedText, start: number, end: number, written = part.text.slice(start, end)) => {
      for (const run of part.#runsIn(start, end, text.length)) runs.push(run);
      text += written;
    };
    for (const { start, end, by } of replacements) {
      append(this, from, start);
      if (typeof by === "string") append(this, start, start + 1, by);
      else append(by, 0, by.text.length);
      from = end;
    }
    append(this, from, this.text.length);
    return new MappedText(text, runs);
  }

  /** With this indentation before each line. */
  indented(indent: string): MappedText {
    const lines = indent === "" ? [] : Array.from(this.text.matchAll(/(?<=^|\n)(?=[^])/g), ({ index }) => index);
    return this.replaced(lines.map((start) => ({ start, end: start, by: indent })));
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
  *#runsIn(from: number, to: number, start: number): Generator<Run> {
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

/** Numbers the source positions of a sited compile. */
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
    return mapped.replaced(
      Array.from(openTags(mapped.text), ({ start, end }) => {
        return { start: end, end, by: siteAttribute(this.siteOf(mapped, start)) };
      }),
    );
  }
}

/** The beginning of each open tag, and the end of its name. */
function* openTags(html: string, from = 0): Generator<{ readonly start: number; readonly end: number }> {
  for (const piece of scanMarkup(html).pieces) {
    const start = from + piece.start;
    if (piece.kind === "open") yield { start, end: start + 1 + piece.name.length };
    if (piece.kind !== "comment") continue;
    const [, opening = "", inner = ""] = CONDITIONAL_BLOCK.exec(html.slice(piece.start, piece.end)) ?? [];
    if (inner !== "") yield* openTags(inner, start + opening.length);
  }
}

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
