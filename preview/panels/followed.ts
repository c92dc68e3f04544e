import type { ElementPlace } from "../../src/preview/contract.js";

/**
 * The new number of an element, found by where it was written in the source. If the source position has changed too,
 * the number is shifted by how many elements were added or removed.
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
  const matches = after.flatMap((other, number) => (isThere(other) ? number : []));
  const moved = place + after.length - before.length;
  return matches[twins] ?? matches.at(-1) ?? (after[moved]?.file === element.file ? moved : undefined);
};
