import type { Ranges } from "../ui/text.js";

export const searchWords = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

/** Tells whether texts contain every word of a query. */
export const matcherOf = (query: string): ((...texts: readonly string[]) => boolean) => {
  const words = searchWords(query);
  return (...texts) => {
    const text = texts.join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  };
};

/** The character ranges of a text that match a query, and a score: higher is better. */
export interface Match {
  readonly score: number;
  readonly ranges: Ranges;
}

/**
 * Every word of the query must match: as a substring, best at the start of a word, otherwise as letters in order, most
 * of which start words, as `orcf` matches `order-confirmation`.
 */
export const matchOf = (query: string, text: string): Match | undefined => {
  const lower = text.toLowerCase();
  const all = searchWords(query).map((word) => matchWord(word, text, lower));
  if (!all.every((match) => match !== undefined)) return undefined;
  return {
    score: all.reduce((sum, { score }) => sum + score, 0) - text.length / 1_000,
    ranges: joined(all.flatMap(({ ranges }) => ranges)),
  };
};

const isWordStart = (text: string, at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? "");

const matchWord = (word: string, text: string, lower: string): Match | undefined => {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
    if (isWordStart(text, at)) return { score: at === 0 ? 100 : 80, ranges: [[at, at + word.length]] };
  const inside = lower.indexOf(word);
  if (inside >= 0) return { score: 50, ranges: [[inside, inside + word.length]] };
  return matchLetters(word, text, lower);
};

const matchLetters = (word: string, text: string, lower: string): Match | undefined => {
  const places: number[] = [];
  let from = 0;
  for (const letter of word) {
    const at = placeOf(letter, text, lower, from);
    if (at < 0) return undefined;
    places.push(at);
    from = at + letter.length;
  }
  const starts = places.filter((at, index) => isWordStart(text, at) || at === (places[index - 1] ?? -2) + 1).length;
  return starts * 2 > places.length
    ? { score: (30 * starts) / places.length, ranges: places.map((at) => [at, at + 1] as const) }
    : undefined;
};

/** The next letter in the same word, otherwise the next that starts a word, otherwise any. */
const placeOf = (letter: string, text: string, lower: string, from: number): number => {
  if (from > 0 && lower.startsWith(letter, from)) return from;
  for (let at = lower.indexOf(letter, from); at >= 0; at = lower.indexOf(letter, at + 1))
    if (isWordStart(text, at)) return at;
  return lower.indexOf(letter, from);
};

const joined = (ranges: Ranges): Ranges => {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  return sorted.reduce<(readonly [number, number])[]>((all, range) => {
    const last = all.at(-1);
    if (!last || range[0] > last[1]) return [...all, range];
    return [...all.slice(0, -1), [last[0], Math.max(last[1], range[1])]];
  }, []);
};
