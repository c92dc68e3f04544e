import { diffArrays } from "diff/lib/diff/array.js";

/** Two half-open ranges, of which one replaces the other; one of them may be empty. */
export interface Replacement {
  readonly from: Range;
  readonly to: Range;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Maximum removed and added items between two anchors for which the minimal difference is computed. */
const LEAST_MAX = 64;
/** Maximum depth for finding further anchors between anchors. */
const DEPTH_MAX = 8;

/**
 * How one list becomes another: items outside of replacements are the same in both. Time is roughly linear in the
 * length of the lists: items that occur once in both serve as anchors, and if too much differs between two of them,
 * everything between them counts as replaced.
 */
export function compare(from: readonly string[], to: readonly string[]): Replacement[] {
  const replacements: Replacement[] = [];
  within({ start: 0, end: from.length }, { start: 0, end: to.length }, 0);
  return replacements;

  function within(a: Range, b: Range, depth: number): void {
    let { start: left } = a;
    let { start: right } = b;
    while (left < a.end && right < b.end && from[left] === to[right]) {
      left += 1;
      right += 1;
    }
    let { end: leftEnd } = a;
    let { end: rightEnd } = b;
    while (left < leftEnd && right < rightEnd && from[leftEnd - 1] === to[rightEnd - 1]) {
      leftEnd -= 1;
      rightEnd -= 1;
    }
    if (left === leftEnd || right === rightEnd) return replaced(left, leftEnd, right, rightEnd);

    const anchors =
      depth === DEPTH_MAX ? [] : anchorsOf(from, to, { start: left, end: leftEnd }, { start: right, end: rightEnd });
    if (anchors.length === 0) return least(left, leftEnd, right, rightEnd);
    for (const anchor of [...anchors, { from: leftEnd, to: rightEnd }]) {
      within({ start: left, end: anchor.from }, { start: right, end: anchor.to }, depth + 1);
      left = anchor.from + 1;
      right = anchor.to + 1;
    }
  }

  function least(left: number, leftEnd: number, right: number, rightEnd: number): void {
    const parts = diffArrays(from.slice(left, leftEnd), to.slice(right, rightEnd), { maxEditLength: LEAST_MAX });
    if (parts === undefined) return replaced(left, leftEnd, right, rightEnd);
    for (const { count, added, removed } of parts) {
      if (added) replaced(left, left, right, (right += count));
      else if (removed) replaced(left, (left += count), right, right);
      else {
        left += count;
        right += count;
      }
    }
  }

  /** Merges removals and additions at the same position into one replacement. */
  function replaced(left: number, leftEnd: number, right: number, rightEnd: number): void {
    if (left === leftEnd && right === rightEnd) return;
    const last = replacements.at(-1);
    const joins = last !== undefined && last.from.end === left && last.to.end === right;
    if (joins) replacements.pop();
    replacements.push({
      from: { start: joins ? last.from.start : left, end: leftEnd },
      to: { start: joins ? last.to.start : right, end: rightEnd },
    });
  }
}

/** Two positions that are considered the same. */
interface Anchor {
  readonly from: number;
  readonly to: number;
}

/** Items that occur exactly once in both ranges, as many of them as are in the same order on both sides. */
function anchorsOf(from: readonly string[], to: readonly string[], a: Range, b: Range): Anchor[] {
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
