import { compareWords, type Part } from "../../../sync/diff/words.js";
import { plural } from "../check-report.js";
import type { HunkEntry } from "./document.js";
import { visible } from "./visible.js";

/** A line of a diff as it is shown. */
export interface ShownLine {
  readonly sign: "-" | "+";
  /** One that is no line itself has none that differs: it says how many more there are. */
  readonly parts: readonly Part[];
}

/** What stays of a part that is the same on both sides, at each end, where a line is too long. */
const KEPT = 28;
/** Fewer characters are not worth leaving out. */
const LEFT_OUT_MIN = 10;
/** Of a longer line, no more is looked at. */
const LINE_MAX = 2000;

export interface LineLimits {
  /** Lines that go, and lines that come. One more is shown rather than folded. */
  readonly lines: number;
  /** Characters in which a line should fit. */
  readonly width: number;
}

/**
 * A hunk's lines: what goes, then what comes, of both the first. Of lines that take each other's place, the words that differ
 * are known; of long ones, what is the same is left out between them.
 */
export function linesOf({ removed, added }: Pick<HunkEntry, "removed" | "added">, limits: LineLimits): ShownLine[] {
  const gone = undented(foldedTo(removed, limits.lines));
  const come = undented(foldedTo(added, limits.lines));
  const pairs = gone.slice(0, come.length).map((line, index) => compareWords(line, come[index] ?? ""));
  const side = (sign: "-" | "+", shown: readonly string[], all: readonly string[]): ShownLine[] => {
    const lines = shown.map((line, index): ShownLine => {
      const parts = pairs[index]?.[sign === "-" ? "removed" : "added"] ?? [{ text: line, differs: true }];
      return { sign, parts: shortened(parts, limits.width).map((part) => ({ ...part, text: visible(part.text) })) };
    });
    const more = all.length - shown.length;
    const rest = { text: `… ${plural(more, "more line")}`, differs: false };
    return more === 0 ? lines : [...lines, { sign, parts: [rest] }];
  };
  return [...side("-", gone, removed), ...side("+", come, added)];
}

/** Whether of these lines only the first `most` are shown. */
export function isFoldedAt(lines: readonly string[], most: number): boolean {
  return lines.length > most + 1;
}

function foldedTo(lines: readonly string[], most: number): string[] {
  const shown = isFoldedAt(lines, most) ? lines.slice(0, most) : lines;
  return shown.map((line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line));
}

/** Without the indentation that all have; spaces at their ends as dots, since they would not be seen. */
function undented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(least).replace(/[ \t]+$/, (spaces) => "·".repeat(spaces.length)));
}

/** Of what differs, as much as three lines; of what doesn't, what stands next to that. */
function shortened(parts: readonly Part[], width: number): Part[] {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= width) return [...parts];
  return parts.map(({ text, differs }, index) => {
    if (differs) return { text: text.length > 3 * width ? `${text.slice(0, 3 * width)}…` : text, differs };
    const head = index === 0 ? "" : beginning(text);
    const tail = index === parts.length - 1 ? "" : ending(text);
    return { text: head.length + tail.length + LEFT_OUT_MIN > text.length ? text : `${head}…${tail}`, differs };
  });
}

/** As far as a tag or a word ends. */
function beginning(text: string): string {
  const piece = text.slice(0, KEPT);
  return (/^.*(?=<)/s.exec(piece) ?? /^.*\s/s.exec(piece))?.[0] ?? piece;
}

function ending(text: string): string {
  const piece = text.slice(-KEPT);
  return (/(?<=>)[^>]*$/.exec(piece) ?? /(?<=\s)\S.*$/s.exec(piece))?.[0] ?? piece;
}
