import { inspect } from "node:util";
import { ConfigurationError } from "../errors.js";

/**
 * Refuses a value of the wrong type or outside of its range, as JavaScript may pass it.
 *
 * @example
 * checkValue("createTestClock", "at", at, at instanceof Date, "a Date");
 *
 * @param takes What it may be, as the end of a sentence.
 * @throws {ConfigurationError} It is not valid.
 */
export function checkValue(caller: string, option: string, value: unknown, isValid: boolean, takes: string): void {
  if (isValid) return;
  const shown = typeof value === "string" ? JSON.stringify(value) : inspect(value, { depth: 0 });
  throw new ConfigurationError(`${caller}: ${option} is ${shown}; it takes ${takes}.`);
}
