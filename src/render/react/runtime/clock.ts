import type { Expression } from "./expression.js";

/*
 * The time and random numbers that a component reads while it is compiled. In its output they stay what they are, which is
 * reported there; in an operation on variables, the value of this moment must not become a part of the expression.
 */

const readings = new Map<unknown, Expression>();

/** Begins a compilation. */
export function forgetReadings(): void {
  readings.clear();
}

/** How a value was read: `Date.now()`. */
export function readingOf(value: unknown): Expression | undefined {
  return readings.get(value);
}

/**
 * Records that a value was read from the clock or made from such values. Small numbers, such as the day of the month, are not:
 * other code may have the same.
 */
export function recordReading(value: unknown, reading: Expression): void {
  const isNumber = typeof value === "number" && (Math.abs(value) >= 1000 || !Number.isInteger(value));
  if (isNumber || (typeof value === "string" && value.length >= 8)) readings.set(value, reading);
}
