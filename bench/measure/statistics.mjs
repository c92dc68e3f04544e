// @ts-check

/**
 * @param {readonly number[]} values Not empty.
 */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Compares two measurements that were taken in turn. Each round has its own ratio, so that a temporary slowdown of the machine
 * affects both sides.
 *
 * @example
 * compare([2, 2, 9], [4, 4, 18]); // { median: 0.5, lowest: 0.5, highest: 0.5 }
 *
 * @param {readonly number[]} measured
 * @param {readonly number[]} reference One for each of `measured`.
 */
export function compare(measured, reference) {
  const ratios = measured.map((value, round) => value / (reference[round] ?? Number.NaN));
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

/** @typedef {ReturnType<typeof compare>} Ratio */
