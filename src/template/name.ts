import { NAME_MAX, TEMPLATE_NAME } from "../api/limits.js";
import type { Diagnostic } from "../diagnostic.js";

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

/** Why a name is none for a template, in a sentence; undefined for one that is. */
export function nameProblem(name: string): string | undefined {
  if (!TEMPLATE_NAME.test(name)) {
    return `"${name}" cannot be a template's name, which has lower-case letters, digits, - and _, first a letter or digit.`;
  }
  if (name.includes("__")) return `"${name}" cannot be a template's name: __ is reserved for languages.`;
  if (name.length > NAME_MAX) return `"${name}" is too long for a template's name: at most ${NAME_MAX} characters.`;
  return undefined;
}

/**
 * The template's name that is nearest to any other; not always a valid one.
 *
 * @example
 * kebabCase("Größe ändern"); // "grosse-andern"
 */
export function kebabCase(name: string): string {
  return plainLetters(name)
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .replaceAll(/^[^a-z0-9]+|-+$/g, "");
}

/** `Uni`, of `Ünï` */
function plainLetters(name: string): string {
  return name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "");
}
