import type { Severity } from "../../src/diagnostic.js";

/** The number of findings by severity. */
export type Counts = Readonly<Partial<Record<Severity, number>>>;

/** The worst comes first. */
export const severities: readonly Severity[] = ["error", "warning", "info"];

const names: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "note" };

export const countsOf = (findings: readonly { readonly severity: Severity }[]): Counts =>
  Object.fromEntries(
    severities.map((severity) => [severity, findings.filter((finding) => finding.severity === severity).length]),
  );

export const sumOf = (counts: Counts = {}): number =>
  severities.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);

export const toneOf = (counts: Counts = {}): "error" | "warning" | "neutral" => {
  const worst = severities.find((severity) => (counts[severity] ?? 0) > 0);
  return worst === undefined || worst === "info" ? "neutral" : worst;
};

/** The counts that a list and a tab show: those of the worst severity, then all others. */
export const byWorst = (counts: Counts): readonly Counts[] => {
  const worst = severities.find((severity) => (counts[severity] ?? 0) > 0);
  if (worst === undefined) return [];
  const others = { ...counts, [worst]: 0 };
  return [{ [worst]: counts[worst] ?? 0 }, ...(sumOf(others) > 0 ? [others] : [])];
};

/** `2 errors, 1 note` */
export const countsInWords = (counts: Counts): string =>
  severities
    .flatMap((severity) => {
      const count = counts[severity] ?? 0;
      return count === 0 ? [] : [counted(count, names[severity])];
    })
    .join(", ");

/** `1 problem`, `12 problems` */
export const counted = (count: number, one: string): string =>
  `${count.toLocaleString("en-GB")} ${count === 1 ? one : `${one}s`}`;

/** Groups items by a key. Groups keep the order in which their keys first appear. */
export const grouped = <Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};
