import type { Range } from "./compare.js";

/** Two places that are taken to be the same. */
interface Anchor {
  readonly from: number;
  readonly to: number;
}

/** Items that both ranges have just once, as many of them as stand in the same order on both sides. */
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

/** Where each item is, and -1 for those that are there more often. */
function onceIn(items: readonly string[], { start, end }: Range): Map<string, number> {
  const places = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const item = items[at] ?? "";
    places.set(item, places.has(item) ? -1 : at);
  }
  return places;
}

/** The longest of the pairs' subsequences in which the places on the other side rise too: patience sorting. */
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
