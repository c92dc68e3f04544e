import type { ElementPlace } from "../../contract.js";

/**
 * The number of an element among others, by where it was written; where that has moved too, by how many elements were added
 * or removed before it.
 */
export const followed = (
  place: number,
  before: readonly ElementPlace[],
  after: readonly ElementPlace[],
): number | undefined => {
  const element = before[place];
  if (!element) return undefined;
  const isThere = (other: ElementPlace | undefined) =>
    other?.file === element.file && other.line === element.line && other.column === element.column;
  const twins = before.slice(0, place).filter(isThere).length;
  const found = after.flatMap((other, number) => (isThere(other) ? number : []));
  const moved = place + after.length - before.length;
  return found[twins] ?? found.at(-1) ?? (after[moved]?.file === element.file ? moved : undefined);
};
