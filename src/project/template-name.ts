import type { Diagnostic } from "../diagnostic.js";
import { kebabCase, nameProblem } from "./name-problem.js";

/** Names that Windows reserves for devices, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The template name for the name of a folder or of a file without its extension. A leading `@` is not part of the name:
 * it lets Windows store reserved names.
 *
 * @example
 * nameOf("@con"); // "con"
 */
export function nameOf(stem: string): string {
  return stem.replace(/^@/, "");
}

/**
 * The name of a template's folder and files, without extension.
 *
 * @example
 * stemOf("receipt"); // "receipt"
 * stemOf("con"); // "@con"
 */
export function stemOf(name: string): string {
  return windowsDevice.test(name) ? `@${name}` : name;
}

/**
 * Diagnostics about a template's name.
 *
 * @example
 * checkName("PasswordReset", file)[0].hint; // "Rename it to password-reset, or begin its name with _ if templates share it."
 *
 * @param file The file or folder that has the name.
 */
export function checkName(name: string, file: string): Diagnostic[] {
  const location = { template: name, at: { file } };
  const problem = nameProblem(name);
  if (problem === undefined) return [];
  const better = kebabCase(name);
  const rename = nameProblem(better) === undefined ? `Rename it to ${better}, or begin` : "Begin";
  const hint = `${rename} its name with _ if templates share it.`;
  return [{ rule: "template-name", severity: "error", message: problem, ...location, hint }];
}
