/** A text that is looked for, prepared once for many candidates. */
export type Relevance = (texts: readonly string[]) => number;

/** Shorter words are only found as they are: one edit would turn them into any other. */
const TYPO_LENGTH = 4;

/**
 * How well texts answer a query: 0 where a word of the query is found in none of them, else the more the better.
 * A word counts most as a whole, less as the beginning of one, less as a part, and least with one letter wrong,
 * missing, extra or swapped.
 *
 * @example
 * const relevance = relevanceOf("recipt ada");
 * relevance(["Your receipt", "ada@example.com"]) > 0; // true
 */
export function relevanceOf(query: string): Relevance {
  const wanted = words(query);
  return (texts) => {
    const found = texts.flatMap(words);
    const scores = wanted.map((word) => Math.max(0, ...found.map((candidate) => wordScore(word, candidate))));
    return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
  };
}

function words(text: string): string[] {
  return (
    text
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

function wordScore(wanted: string, candidate: string): number {
  if (candidate === wanted) return 8;
  if (candidate.startsWith(wanted)) return 4;
  if (candidate.includes(wanted)) return 2;
  return wanted.length >= TYPO_LENGTH && withinOneEdit(wanted, candidate) ? 1 : 0;
}

/** Whether one letter changed, added, removed, or swapped with its neighbour turns one word into the other. */
function withinOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const restOfA = a.slice(start);
  const restOfB = b.slice(start);
  const swapped = `${restOfA.charAt(1)}${restOfA.charAt(0)}${restOfA.slice(2)}`;
  return (
    restOfA.slice(1) === restOfB.slice(1) ||
    restOfA === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB ||
    swapped === restOfB
  );
}
