/**
 * The candidate that a mistyped name most likely meant, if one is similar enough to suggest.
 *
 * @param most Maximum number of wrong letters; by default, a third of them.
 * @example
 * nearest("subjct", ["subject", "description"]); // "subject"
 * nearest("colour", ["subject", "description"]); // undefined
 */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  most = Math.floor((name.length + 1) / 3),
): string | undefined {
  let best: string | undefined;
  let bestDistance = most + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** The number of edits between two strings; swapping two neighbours counts as one (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let previous: number[] = [];
  let current = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (current[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((current[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (previous[j - 2] ?? 0) + 1);
      next.push(cost);
    }
    previous = current;
    current = next;
  }
  return current[b.length] ?? 0;
}
