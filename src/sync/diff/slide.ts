import type { Range, Replacement } from "./compare.js";

/** Maximum distance to search. */
const SHIFT_MAX = 50;

/**
 * A run of items that is only added, or only removed, can often be shown in several ways: between two similar rows, the
 * new one may begin with its own `<tr>` or with that of the row below. This chooses the natural one: the one that
 * begins at a beginning, otherwise the lowest. That way the same change looks the same in all templates.
 */
export function slide(
  { from, to }: Replacement,
  sides: { readonly from: readonly string[]; readonly to: readonly string[] },
  bounds: { readonly above: number; readonly below: number },
): Replacement {
  const isAdded = from.start === from.end;
  if (!isAdded && to.start !== to.end) return { from, to };
  const items = isAdded ? sides.to : sides.from;
  const { start, end } = isAdded ? to : from;
  let up = 0;
  while (up < Math.min(bounds.above, SHIFT_MAX) && items[start - up - 1] === items[end - up - 1]) up += 1;
  let down = 0;
  while (down < Math.min(bounds.below, SHIFT_MAX) && items[start + down] === items[end + down]) down += 1;

  let best = down;
  let bestScore = -1;
  for (let shift = down; shift >= -up; shift -= 1) {
    const score = likeliness(items, { start: start + shift, end: end + shift });
    if (score > bestScore) {
      best = shift;
      bestScore = score;
    }
  }
  const moved = ({ start: first, end: last }: Range): Range => ({ start: first + best, end: last + best });
  return { from: moved(from), to: moved(to) };
}

/** How likely it is that a run was written as a unit. */
function likeliness(items: readonly string[], { start, end }: Range): number {
  const first = (items[start] ?? "").trim();
  const last = (items[end - 1] ?? "").trim();
  const opens = /^<\w/.test(first) || (!first.startsWith("<") && first !== "");
  const closes = last === "" || /(?:<\/[\w:-]+>|\/>|[^>])$/.test(last);
  return (opens ? 2 : 0) + (closes ? 1 : 0);
}
