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
 * What two things that were measured in turn compare to: each round gives a ratio of its own, so that a machine that
 * is slower for a while is slower for both sides of it.
 *
 * @example
 * compare([2, 2, 9], [4, 4, 18]); // { median: 0.5, least: 0.5, most: 0.5 }
 *
 * @param {readonly number[]} measured
 * @param {readonly number[]} reference One for each that was measured.
 */
export function compare(measured, reference) {
  const ratios = measured.map((value, round) => value / (reference[round] ?? Number.NaN));
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** @typedef {ReturnType<typeof compare>} Ratio */
