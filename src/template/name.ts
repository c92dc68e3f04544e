import { NAME_MAX, TEMPLATE_NAME } from "../api/limits.js";
import type { Diagnostic } from "../diagnostic.js";

/** What Windows takes for a device, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com[1-9]|lpt[1-9])$/;

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
  if (windowsDevice.test(name)) {
    const message = `Windows cannot store a file or folder named "${name}".`;
    return [{ rule: "template-name-windows", severity: "warning", message, ...finding }];
  }
  const problem = nameProblem(name);
  if (problem === undefined) return [];
  const better = kebabCase(name);
  const rename = nameProblem(better) === undefined ? `Rename it to ${better}, or begin` : "Begin";
  const hint = `${rename} its name with _ if templates share it.`;
  return [{ rule: "template-name", severity: "error", message: problem, ...finding, hint }];
}

/** Why a name is none for a template, in a sentence; undefined for one that is. */
export function nameProblem(name: string): string | undefined {
  if (!TEMPLATE_NAME.test(name)) {
    return `"${name}" cannot be a template's name, which has lower-case letters, digits, - and _, first a letter or digit.`;
  }
  if (name.includes("__")) return `"${name}" cannot be a template's name: __ is reserved for languages.`;
  if (name.length > NAME_MAX) return `"${name}" is too long for a template's name: at most ${NAME_MAX} characters.`;
  return undefined;
}

function kebabCase(name: string): string {
  return name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "");
}
