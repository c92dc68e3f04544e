import { inspect } from "node:util";
import { ConfigurationError } from "../errors.js";

/**
 * Refuses a value of the wrong type or out of range, as JavaScript may pass it.
 *
 * @example
 * checkValue("createTestClock", "at", at, at instanceof Date, "a Date");
 *
 * @param expected The valid values, as a noun phrase.
 * @throws {ConfigurationError} It is not valid.
 */
export function checkValue(caller: string, option: string, value: unknown, isValid: boolean, expected: string): void {
  if (isValid) return;
  const actual = typeof value === "string" ? JSON.stringify(value) : inspect(value, { depth: 0 });
  throw new ConfigurationError(`${caller}: ${option} is ${actual}; it must be ${expected}.`);
}
