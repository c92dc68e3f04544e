import type { Range } from "./compare.js";

/** Two positions that are considered the same. */
interface Anchor {
  readonly from: number;
  readonly to: number;
}

/** Items that occur exactly once in both ranges, as many of them as are in the same order on both sides. */
export function anchorsOf(from: readonly string[], to: readonly string[], a: Range, b: Range): Anchor[] {
  const places = onceIn(from, a);
  const counterparts = onceIn(to, b);
  const pairs: Anchor[] = [];
  for (const [item, place] of places) {
    const counterpart = counterparts.get(item);
    if (place >= 0 && counterpart !== undefined && counterpart >= 0) pairs.push({ from: place, to: counterpart });
  }
  return longestRising(pairs.toSorted((one, other) => one.from - other.from));
}

/** The position of each item, or -1 if it occurs more than once. */
function onceIn(items: readonly string[], { start, end }: Range): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const item = items[at] ?? "";
    places.set(item, places.has(item) ? -1 : at);
  }
  return places;
}

/** The longest subsequence of the pairs in which the positions on the other side also increase: patience sorting. */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  interface Card {
    readonly pair: Anchor;
    readonly before: Card | undefined;
  }
  const piles: Card[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = piles.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((piles[middle]?.pair.to ?? 0) < pair.to) low = middle + 1;
      else high = middle;
    }
    piles[low] = { pair, before: piles[low - 1] };
  }
  const rising: Anchor[] = [];
  for (let card = piles.at(-1); card !== undefined; card = card.before) rising.push(card.pair);
  return rising.reverse();
}
