import { diffArrays } from "diff/lib/diff/array.js";

/** A part of a line, and whether it differs from the other line. */
export interface Part {
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
): { readonly removed: readonly Part[]; readonly added: readonly Part[] } {
  const parts = diffArrays(wordsOf(removed), wordsOf(added), { maxEditLength: WORDS_MAX });
  const common = parts?.filter((part) => !part.added && !part.removed).flatMap(({ value }) => value) ?? [];
  const whole = { removed: [{ text: removed, differs: true }], added: [{ text: added, differs: true }] };
  if (parts === undefined || common.join("").trim().length * 3 < Math.max(removed.length, added.length)) return whole;
  const side = (other: "removed" | "added"): Part[] =>
    parts
      .filter((part) => !part[other])
      .map((part) => ({ text: part.value.join(""), differs: part.added || part.removed }));
  return { removed: side("added"), added: side("removed") };
}

function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
