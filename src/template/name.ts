import type { Diagnostic } from "../diagnostic.js";
import { kebabCase, nameProblem } from "./name-problem.js";

/** What Windows takes for a device, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The template's name that a file, without its extension, or a folder has: an `@` before it is not part of it, so that
 * Windows can store any.
 *
 * @example
 * nameOf("@con"); // "con"
 */
export function nameOf(stem: string): string {
  return stem.replace(/^@/, "");
}

/**
 * How a template's files and folder are named, without extensions.
 *
 * @example
 * stemOf("receipt"); // "receipt"
 * stemOf("con"); // "@con"
 */
export function stemOf(name: string): string {
  return windowsDevice.test(name) ? `@${name}` : name;
}

/**
 * What speaks against a template's name.
 *
 * @example
 * checkName("PasswordReset", file)[0].hint; // "Rename it to password-reset, or begin its name with _ if templates share it."
 *
 * @param file The file or folder that has the name.
 */
export function checkName(name: string, file: string): Diagnostic[] {
  const finding = { template: name, at: { file } };
  const problem = nameProblem(name);
  if (problem === undefined) return [];
  const better = kebabCase(name);
  const rename = nameProblem(better) === undefined ? `Rename it to ${better}, or begin` : "Begin";
  const hint = `${rename} its name with _ if templates share it.`;
  return [{ rule: "template-name", severity: "error", message: problem, ...finding, hint }];
}
