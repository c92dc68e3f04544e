// @ts-check
import { compare, median } from "./statistics.mjs";

/**
 * A row of a report: a measurement, compared with another one of the same rounds.
 *
 * @typedef {object} Row
 * @property {string} name
 * @property {readonly number[]} measured
 * @property {readonly number[]} reference
 * @property {string} baseline What `reference` measures.
 * @property {"ms" | "µs" | "s" | "kB" | "MB" | "requests"} unit
 * @property {number} [target] The maximum ratio.
 */

/**
 * @typedef {object} Result
 * @property {string} name
 * @property {string} baseline
 * @property {"ms" | "µs" | "s" | "kB" | "MB" | "requests"} unit
 * @property {number} measured Median.
 * @property {number} reference Median.
 * @property {import("./statistics.mjs").Ratio} ratio
 * @property {number} [target]
 * @property {boolean} [reached]
 */

/**
 * @param {Row} row
 * @returns {Result}
 */
export function toResult({ measured, reference, target, ...row }) {
  const ratio = compare(measured, reference);
  const medians = { measured: median(measured), reference: median(reference), ratio };
  return { ...row, ...medians, ...(target === undefined ? {} : { target, reached: ratio.median <= target }) };
}

/**
 * @param {string} title
 * @param {readonly Result[]} results
 */
export function table(title, results) {
  const rows = results.map(({ name, baseline, unit, measured, reference, ratio, target, reached }) => [
    name,
    `${amount(measured)} ${unit}`,
    `${baseline} ${amount(reference)} ${unit}`,
    `${share(ratio.median)} (${share(ratio.lowest)}–${share(ratio.highest)})`,
    target === undefined ? "" : `${target}`,
    reached === undefined ? "" : reached ? "reached" : "missed",
  ]);
  const all = [[title, "median", "compared with", "ratio (lowest–highest)", "target", ""], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {number} value */
function amount(value) {
  return value < 100 ? value.toFixed(1) : value.toFixed(0);
}

/** @param {number} ratio */
function share(ratio) {
  return ratio.toFixed(3);
}
