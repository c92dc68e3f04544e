import type { ChangeEntry, DifferenceEntry, HunkEntry } from "./document.js";
import { isFoldedAt, linesOf } from "./lines.js";
import { code, details, escaped, fenced } from "./markup.js";
import { labelOf, formatSize } from "./phrases.js";

/** Diffs of up to this many lines are expanded. */
const OPEN_LINES_MAX = 16;
/** Maximum line width in characters. */
const WIDTH = 120;
/** Minimum lines on each side of a hunk. If that doesn't fit, the last hunks are left out. */
const LINES_MIN = 1;
/** Factor by which the number of lines is reduced until a diff fits. */
const SHRINK = 0.7;
/** Lower bounds for the average size of lines and hunks, to skip rendering diffs that can't fit. */
const LINE_BYTES = 12;
const HUNK_BYTES = 40;

/** How much of a diff to show: lines on each side of a hunk, and the number of hunks. */
interface Extent {
  readonly lines: number;
  readonly hunks: number;
}

/** A change's diff in Markdown, shortened to a number of bytes; a sentence counts the lines that are left out. */
export class DiffBlock {
  /** Size in bytes of the shortest block, which only states the diff's size. */
  readonly least: number;
  readonly #differences: readonly DifferenceEntry[];
  readonly #hunks: readonly HunkEntry[];
  readonly #whole: Extent;
  #written: string | undefined;

  /** @param seeAll The command that shows complete diffs. */
  constructor(
    private readonly change: ChangeEntry,
    private readonly seeAll: string,
  ) {
    this.#differences = [change, ...change.variants];
    this.#hunks = this.#differences.flatMap(({ hunks }) => hunks);
    const lines = Math.max(0, ...this.#hunks.flatMap(({ removed, added }) => [removed.length, added.length]));
    this.#whole = { lines, hunks: this.#hunks.length };
    this.least = Buffer.byteLength(this.#write({ lines: 0, hunks: 0 }));
  }

  /** Bytes that the complete diff needs in addition to `least`. */
  get need(): number {
    return Math.max(0, Buffer.byteLength(this.#wholeText) - this.least);
  }

  /** A lower bound for `need` that doesn't render the diff. */
  get needAtLeast(): number {
    return Math.max(0, this.#estimate(this.#whole) - this.least);
  }

  /** Renders the diff in at most this many bytes in addition to `least`. */
  fit(bytes: number): string {
    const room = this.least + bytes;
    let { lines, hunks } = this.#whole;
    if (this.#estimate(this.#whole) <= room && Buffer.byteLength(this.#wholeText) <= room) return this.#wholeText;
    while (lines > LINES_MIN) {
      lines = Math.max(LINES_MIN, Math.floor(lines * SHRINK));
      const text = this.#writeWithin({ lines, hunks }, room);
      if (text !== undefined) return text;
    }
    return this.#firstHunks(lines, room);
  }

  get #wholeText(): string {
    return (this.#written ??= this.#write(this.#whole));
  }

  #firstHunks(lines: number, room: number): string {
    let [fits, tooMany] = [0, this.#hunks.length];
    while (tooMany - fits > 1) {
      const hunks = Math.floor((fits + tooMany) / 2);
      if (this.#writeWithin({ lines, hunks }, room) === undefined) tooMany = hunks;
      else fits = hunks;
    }
    return this.#write({ lines, hunks: fits });
  }

  #writeWithin(extent: Extent, room: number): string | undefined {
    if (this.#estimate(extent) > room) return undefined;
    const text = this.#write(extent);
    return Buffer.byteLength(text) > room ? undefined : text;
  }

  #estimate({ lines, hunks }: Extent): number {
    return this.#shownLines({ lines, hunks }) * LINE_BYTES + hunks * HUNK_BYTES;
  }

  #shownLines({ lines, hunks }: Extent): number {
    const shown = (side: readonly string[]): number => (isFoldedAt(side, lines) ? lines : side.length);
    return this.#hunks.slice(0, hunks).reduce((sum, { removed, added }) => sum + shown(removed) + shown(added), 0);
  }

  #write({ lines, hunks }: Extent): string {
    const all = this.#shownLines(this.#whole);
    const rest = all - this.#shownLines({ lines, hunks });
    const leftOut =
      rest === 0
        ? []
        : [
            `${rest === 1 ? "1 changed line is" : `${rest} changed lines are`} not shown. To see all, run: ${code(this.seeAll)}`,
          ];
    const size = this.#differences.map(formatSize).join("; ");
    if (hunks === 0) return [escaped(size), ...leftOut].join("\n\n");
    let left = hunks;
    const blocks = this.#differences.flatMap((difference) => {
      const shown = difference.hunks.slice(0, left);
      left -= shown.length;
      return differenceBlocks({ ...difference, hunks: shown }, this.change.templates.length, lines);
    });
    return [details(size, blocks.join("\n\n"), all <= OPEN_LINES_MAX), ...leftOut].join("\n\n");
  }
}

/** Groups hunks with the same label into one block. */
function differenceBlocks({ templates, hunks }: DifferenceEntry, all: number, lines: number): string[] {
  const byLabel = new Map<string, HunkEntry[]>();
  for (const hunk of hunks) {
    const label = labelOf(hunk, templates, all);
    byLabel.set(label, [...(byLabel.get(label) ?? []), hunk]);
  }
  return [...byLabel].map(
    ([label, labelled]) =>
      `${code(label)}\n\n${fenced(labelled.map((hunk) => hunkText(hunk, lines)).join("\n\n"), "diff")}`,
  );
}

function hunkText(hunk: HunkEntry, lines: number): string {
  return linesOf(hunk, { lines, width: WIDTH })
    .map(({ sign, parts }) => `${sign} ${parts.map(({ text }) => text).join("")}`)
    .join("\n");
}
