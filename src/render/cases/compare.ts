/** A run of items that two lists have in common, or of different items. */
export type Run<T> =
  | { readonly kind: "same"; readonly items: readonly T[] }
  | { readonly kind: "changed"; readonly before: readonly T[]; readonly after: readonly T[] };

/** Computing more table cells would take longer than a shorter result is worth. */
const MOST_CELLS = 1_000_000;

/**
 * A diff of two lists, by their longest common subsequence.
 *
 * @example
 * compareLists(["a", "b", "c"], ["a", "x", "c"]);
 * // [{ kind: "same", items: ["a"] }, { kind: "changed", before: ["b"], after: ["x"] }, { kind: "same", items: ["c"] }]
 */
export function compareLists<T>(before: readonly T[], after: readonly T[]): Run<T>[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const runs = new Runs<T>();
  runs.same(before.slice(0, start));
  compareRest(before.slice(start, before.length - end), after.slice(start, after.length - end), runs);
  runs.same(before.slice(before.length - end));
  return runs.list;
}

function compareRest<T>(before: readonly T[], after: readonly T[], runs: Runs<T>): void {
  if (before.length * after.length > MOST_CELLS) return runs.changed(before, after);
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const isSame = before[i] === after[j];
      lengths[i * width + j] = isSame ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      runs.same(before.slice(i, i + 1));
      [i, j] = [i + 1, j + 1];
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) {
      runs.changed(before.slice(i, i + 1), []);
      i += 1;
    } else {
      runs.changed([], after.slice(j, j + 1));
      j += 1;
    }
  }
  runs.changed(before.slice(i), after.slice(j));
}

/** Merges adjacent runs of the same kind. */
class Runs<T> {
  readonly list: Run<T>[] = [];

  same(items: readonly T[]): void {
    if (items.length === 0) return;
    const last = this.list.at(-1);
    if (last?.kind === "same") this.list.splice(-1, 1, { kind: "same", items: [...last.items, ...items] });
    else this.list.push({ kind: "same", items });
  }

  changed(before: readonly T[], after: readonly T[]): void {
    if (before.length + after.length === 0) return;
    const last = this.list.at(-1);
    if (last?.kind !== "changed") this.list.push({ kind: "changed", before, after });
    else
      this.list.splice(-1, 1, {
        kind: "changed",
        before: [...last.before, ...before],
        after: [...last.after, ...after],
      });
  }
}
