import { plural } from "../check-report.js";
import type { HunkEntry } from "./document.js";
import { visible } from "../../output.js";
import { diffArrays } from "diff/lib/diff/array.js";

export interface ShownLine {
  readonly sign: "-" | "+";
  /** The line's parts. The line that counts hidden lines has no part that differs. */
  readonly parts: readonly LinePart[];
}

/** In a line that is too long, how many characters of an unchanged part to keep at each end. */
const KEPT = 28;
/** Minimum number of characters to leave out. */
const LEFT_OUT_MIN = 10;
/** Longer lines are cut. */
const LINE_MAX = 2000;

export interface LineLimits {
  /** Maximum number of removed lines, and of added lines. A single line more is shown instead of folded. */
  readonly lines: number;
  /** Maximum line width in characters. */
  readonly width: number;
}

/**
 * A hunk's first lines: removed ones, then added ones. A removed and an added line at the same index are compared by word. In
 * long lines, unchanged parts are shortened.
 */
export function linesOf({ removed, added }: Pick<HunkEntry, "removed" | "added">, limits: LineLimits): ShownLine[] {
  const removedLines = dedented(foldedTo(removed, limits.lines));
  const addedLines = dedented(foldedTo(added, limits.lines));
  const pairs = removedLines
    .slice(0, addedLines.length)
    .map((line, index) => compareWords(line, addedLines[index] ?? ""));
  const side = (sign: "-" | "+", shown: readonly string[], all: readonly string[]): ShownLine[] => {
    const lines = shown.map((line, index): ShownLine => {
      const parts = pairs[index]?.[sign === "-" ? "removed" : "added"] ?? [{ text: line, differs: true }];
      return { sign, parts: shortened(parts, limits.width).map((part) => ({ ...part, text: visible(part.text) })) };
    });
    const more = all.length - shown.length;
    const rest = { text: `… ${plural(more, "more line")}`, differs: false };
    return more === 0 ? lines : [...lines, { sign, parts: [rest] }];
  };
  return [...side("-", removedLines, removed), ...side("+", addedLines, added)];
}

/** Whether only the first `most` of these lines are shown. */
export function isFoldedAt(lines: readonly string[], most: number): boolean {
  return lines.length > most + 1;
}

function foldedTo(lines: readonly string[], most: number): string[] {
  const shown = isFoldedAt(lines, most) ? lines.slice(0, most) : lines;
  return shown.map((line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line));
}

/** Removes common indentation and shows trailing spaces as dots. */
function dedented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents, Number.POSITIVE_INFINITY);
  return lines.map((line) => line.slice(least).replace(/[ \t]+$/, (spaces) => "·".repeat(spaces.length)));
}

/** Shortens a long line: parts that differ to three times the width, unchanged parts to what is next to a difference. */
function shortened(parts: readonly LinePart[], width: number): LinePart[] {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= width) return [...parts];
  return parts.map(({ text, differs }, index) => {
    if (differs) return { text: text.length > 3 * width ? `${text.slice(0, 3 * width)}…` : text, differs };
    const head = index === 0 ? "" : beginning(text);
    const tail = index === parts.length - 1 ? "" : ending(text);
    return { text: head.length + tail.length + LEFT_OUT_MIN > text.length ? text : `${head}…${tail}`, differs };
  });
}

/** The start of a string, up to the end of a tag or word. */
function beginning(text: string): string {
  const piece = text.slice(0, KEPT);
  return (/^.*(?=<)/s.exec(piece) ?? /^.*\s/s.exec(piece))?.[0] ?? piece;
}

function ending(text: string): string {
  const piece = text.slice(-KEPT);
  return (/(?<=>)[^>]*$/.exec(piece) ?? /(?<=\s)\S.*$/s.exec(piece))?.[0] ?? piece;
}

export interface LinePart {
  readonly text: string;
  readonly differs: boolean;
}

/** Beyond this many differing words, lines are not compared by words. */
const WORDS_MAX = 40;

/**
 * The differences between a line and its replacement, by words. Lines that have little in common differ completely.
 *
 * @example
 * compareWords("Row 14, Bristol", "Row 22, Bristol").removed;
 * // [{ text: "Row ", differs: false }, { text: "14", differs: true }, { text: ", Bristol", differs: false }]
 */
export function compareWords(
  removed: string,
  added: string,
): { readonly removed: readonly LinePart[]; readonly added: readonly LinePart[] } {
  const parts = diffArrays(wordsOf(removed), wordsOf(added), { maxEditLength: WORDS_MAX });
  const common = parts?.filter((part) => !part.added && !part.removed).flatMap(({ value }) => value) ?? [];
  const whole = { removed: [{ text: removed, differs: true }], added: [{ text: added, differs: true }] };
  if (parts === undefined || common.join("").trim().length * 3 < Math.max(removed.length, added.length)) return whole;
  const side = (other: "removed" | "added"): LinePart[] =>
    parts
      .filter((part) => !part[other])
      .map((part) => ({ text: part.value.join(""), differs: part.added || part.removed }));
  return { removed: side("added"), added: side("removed") };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
