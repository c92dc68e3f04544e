/**
 * Shares out room fairly: who needs less than an equal share gets all of it, and what that leaves goes to the others.
 *
 * @example
 * shareOut([10, 500, 70], 180); // [10, 100, 70]
 *
 * @returns For each need a share of at most that size.
 */
export function shareOut(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  let left = room;
  const smallestFirst = [...needs.keys()].toSorted((a, b) => (needs[a] ?? 0) - (needs[b] ?? 0));
  for (const [position, index] of smallestFirst.entries()) {
    const share = Math.min(needs[index] ?? 0, Math.floor(left / (needs.length - position)));
    shares[index] = share;
    left -= share;
  }
  return shares;
}
