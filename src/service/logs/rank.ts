import type { DomainIndex } from "./domain-index.js";
import { Grade } from "./grade.js";
import { words } from "./words.js";

/** So many different words of a query are looked for, the longest; what is more than that makes it no clearer. */
const WORDS_MAX = 50;

/** Entries that a query found. */
export interface Ranked {
  /** Positions, in the order in which they were given. */
  readonly positions: Uint32Array;
  /** By place in `positions`: how well the entry answers, more is better. */
  readonly relevance: Uint16Array;
}

/**
 * Which of these entries have every word of the query, in their subject or addresses, and how well: by the grade of
 * each word, which has to be the least one, and for the same grade better in the subject. None where the query has no word.
 */
export function rank(
  index: DomainIndex,
  query: string,
  candidates: Uint32Array,
  least: Grade = Grade.beginningOff,
): Ranked {
  // Longer words are in fewer entries, and leave the shorter ones less to look through.
  const wanted = [...new Set(words(query))].toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX);
  let found: Ranked = { positions: candidates, relevance: new Uint16Array(candidates.length) };
  if (wanted.length === 0) return none;
  for (const word of wanted) {
    const grades = found.positions.length === 0 ? undefined : index.vocabulary.grades(word);
    if (!grades) return none;
    found = keep(index, grades, least, found);
  }
  return found;
}

const none: Ranked = { positions: new Uint32Array(), relevance: new Uint16Array() };

/** Those that have a word of the grade, with what it is worth. */
function keep(index: DomainIndex, grades: Uint8Array, least: Grade, { positions, relevance }: Ranked): Ranked {
  const numbers = index.words.values;
  const firstWord = index.firstWord.values;
  const afterSubject = index.afterSubject.values;
  const kept = new Uint32Array(positions.length);
  const keptRelevance = new Uint16Array(positions.length);
  let count = 0;
  for (let place = 0; place < positions.length; place += 1) {
    const position = positions[place] ?? 0;
    const start = firstWord[position] ?? 0;
    const middle = afterSubject[position] ?? 0;
    const end = position + 1 < index.size ? (firstWord[position + 1] ?? 0) : index.words.length;
    const inSubject = best(grades, numbers, start, middle);
    const inAddresses = inSubject === Grade.whole ? Grade.none : best(grades, numbers, middle, end);
    if (inSubject < least && inAddresses < least) continue;
    kept[count] = position;
    keptRelevance[count] = (relevance[place] ?? 0) + Math.max(2 * inSubject + 1, 2 * inAddresses);
    count += 1;
  }
  return { positions: kept.subarray(0, count), relevance: keptRelevance.subarray(0, count) };
}

/** The best grade among an entry's words from one place to another. */
function best(grades: Uint8Array, numbers: Uint32Array, from: number, to: number): number {
  let grade = 0;
  for (let at = from; at < to && grade < Grade.whole; at += 1) {
    const each = grades[numbers[at] ?? 0] ?? 0;
    if (each > grade) grade = each;
  }
  return grade;
}

/** The places of a ranked search, best first; of those that are equally good, in their own order. */
export function byRelevance({ positions, relevance }: Ranked): Uint32Array {
  const starts = new Uint32Array(WORDS_MAX * (2 * Grade.whole + 1) + 1);
  for (let index = 0; index < relevance.length; index += 1) {
    const value = relevance[index] ?? 0;
    starts[value] = (starts[value] ?? 0) + 1;
  }
  // From counts to the first place of each, the most relevant first.
  let place = 0;
  for (let value = starts.length - 1; value >= 0; value -= 1) {
    const count = starts[value] ?? 0;
    starts[value] = place;
    place += count;
  }
  const sorted = new Uint32Array(positions.length);
  for (let index = 0; index < positions.length; index += 1) {
    const value = relevance[index] ?? 0;
    const at = starts[value] ?? 0;
    sorted[at] = positions[index] ?? 0;
    starts[value] = at + 1;
  }
  return sorted;
}
