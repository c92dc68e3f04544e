import type { DomainIndex } from "./domain-index.js";
import { Grade } from "./grade.js";
import { words } from "./split-words.js";

/**
 * Maximum number of distinct words of a query that are searched; the longest are used, and more would not make it more
 * specific.
 */
const WORDS_MAX = 50;

/** The entries that match a query. */
export interface Ranked {
  /** Positions, in the order of the candidates. */
  readonly positions: Uint32Array;
  /** Relevance of each entry in `positions`; higher is better. */
  readonly relevance: Uint16Array;
}

/**
 * The entries that contain every word of the query in their subject or addresses, with their relevance. Each word needs
 * at least the grade `least`; for equal grades, matches in the subject count more. Empty if the query has no words.
 */
export function rank(
  index: DomainIndex,
  query: string,
  candidates: Uint32Array,
  least: Grade = Grade.beginningOff,
): Ranked {
  // Longer words match fewer entries and leave fewer for the shorter words.
  const wanted = [...new Set(words(query))].toSorted((a, b) => b.length - a.length).slice(0, WORDS_MAX);
  let ranked: Ranked = { positions: candidates, relevance: new Uint16Array(candidates.length) };
  if (wanted.length === 0) return none;
  for (const word of wanted) {
    const grades = ranked.positions.length === 0 ? undefined : index.vocabulary.grades(word);
    if (!grades) return none;
    ranked = keep(index, grades, least, ranked);
  }
  return ranked;
}

const none: Ranked = { positions: new Uint32Array(), relevance: new Uint16Array() };

/** The entries that contain a word of at least the grade, with the word's relevance added. */
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

/** The best grade among an entry's words in a range. */
function best(grades: Uint8Array, numbers: Uint32Array, from: number, to: number): number {
  let grade = 0;
  for (let at = from; at < to && grade < Grade.whole; at += 1) {
    const each = grades[numbers[at] ?? 0] ?? 0;
    if (each > grade) grade = each;
  }
  return grade;
}

/** The positions of a ranked search, best first. Equally relevant ones keep their order. */
export function byRelevance({ positions, relevance }: Ranked): Uint32Array {
  const starts = new Uint32Array(WORDS_MAX * (2 * Grade.whole + 1) + 1);
  for (let index = 0; index < relevance.length; index += 1) {
    const value = relevance[index] ?? 0;
    starts[value] = (starts[value] ?? 0) + 1;
  }
  // Turns counts into the first place of each relevance, the highest first.
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
