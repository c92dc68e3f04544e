import type { ChangeEntry, DifferenceEntry, HunkEntry } from "./document.js";
import { isFoldedAt, linesOf } from "./lines.js";
import { code, details, escaped, fenced } from "./markup.js";
import { labelOf, sizeInWords } from "./phrases.js";

/** Diffs with no more lines are open. */
const OPEN_LINES_MAX = 16;
/** Characters in which a line should fit. */
const WIDTH = 120;
/** Where even with one line on each side not all hunks fit, the last ones are left out. */
const LINES_MIN = 1;
/** By how much fewer lines are tried until a diff fits. */
const SHRINK = 0.7;
/** Lines and hunks are hardly shorter than this, on average: what won't fit need not be written to see that. */
const LINE_BYTES = 12;
const HUNK_BYTES = 40;

/** How much of a diff is shown: lines on each side of a hunk, and the first hunks. */
interface Extent {
  readonly lines: number;
  readonly hunks: number;
}

/** A change's diff in Markdown, in as many bytes as there are: what is left out is counted in a sentence. */
export class DiffBlock {
  /** Bytes of the block that says no more than the diff's size. */
  readonly least: number;
  readonly #differences: readonly DifferenceEntry[];
  readonly #hunks: readonly HunkEntry[];
  readonly #whole: Extent;
  #written: string | undefined;

  /** @param seeAll The command that shows every diff whole. */
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

  /** Bytes that the whole diff takes besides `least`. */
  get need(): number {
    return Math.max(0, Buffer.byteLength(this.#wholeText) - this.least);
  }

  /** No more than `need`, without writing the diff. */
  get needAtLeast(): number {
    return Math.max(0, this.#estimate(this.#whole) - this.least);
  }

  /** The diff in at most so many bytes besides `least`. */
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
            `${rest === 1 ? "1 changed line is" : `${rest} changed lines are`} left out here. To see all, run: ${code(this.seeAll)}`,
          ];
    const size = this.#differences.map(sizeInWords).join("; ");
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

/** Hunks that have the same label are one block. */
function differenceBlocks({ templates, hunks }: DifferenceEntry, all: number, lines: number): string[] {
  const byLabel = new Map<string, HunkEntry[]>();
  for (const hunk of hunks) {
    const label = labelOf(hunk, templates, all);
    byLabel.set(label, [...(byLabel.get(label) ?? []), hunk]);
  }
  return [...byLabel].map(
    ([label, those]) => `${code(label)}\n\n${fenced(those.map((hunk) => hunkText(hunk, lines)).join("\n\n"), "diff")}`,
  );
}

function hunkText(hunk: HunkEntry, lines: number): string {
  return linesOf(hunk, { lines, width: WIDTH })
    .map(({ sign, parts }) => `${sign} ${parts.map(({ text }) => text).join("")}`)
    .join("\n");
}
