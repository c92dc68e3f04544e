import { inspect } from "node:util";
import { ConfigurationError } from "../errors.js";
import { nearest } from "../text/nearest.js";

/**
 * Refuses a value of the wrong type or out of range, as JavaScript may pass it.
 *
 * @param expected The valid values, as a noun phrase.
 * @throws {ConfigurationError} It is not valid.
 */
export function checkValue(caller: string, option: string, value: unknown, isValid: boolean, expected: string): void {
  if (isValid) return;
  const actual = typeof value === "string" ? JSON.stringify(value) : inspect(value, { depth: 0 });
  throw new ConfigurationError(`${caller}: ${option} is ${actual}; it must be ${expected}.`);
}

/**
 * Refuses a template that the mailer does not have: it is never sent, so a test that expects that would pass for the
 * wrong reason.
 *
 * @param caller The function that was called.
 * @throws {ConfigurationError} Suggests the likely name, or lists all names.
 */
export function checkTemplate(
  caller: string,
  template: unknown,
  names: readonly string[],
): asserts template is string | undefined {
  if (template === undefined || names.some((name) => name === template)) return;
  if (typeof template !== "string")
    throw new ConfigurationError(`${caller}: template must be a template's name, or undefined for any message.`);
  const near = nearest(template, names);
  const listed = names.length === 0 ? "It has no templates." : `Its templates: ${names.join(", ")}.`;
  throw new ConfigurationError(
    `${caller}: the mailer has no template "${template}". ${near === undefined ? listed : `Did you mean "${near}"?`}`,
  );
}
