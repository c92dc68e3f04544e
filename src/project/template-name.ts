import type { Diagnostic } from "../diagnostic.js";
import { NAME_MAX, TEMPLATE_NAME } from "../api/limits.js";

/** Names that Windows reserves for devices, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

/**
 * The template name for the name of a folder or of a file without its extension. A leading `@` is not part of the name:
 * it lets Windows store reserved names.
 */
export function templateNameOf(stem: string): string {
  return stem.replace(/^@/, "");
}

/** The name of a template's folder and files, without extension: `@con` for `con`, which Windows reserves. */
export function stemOf(name: string): string {
  return windowsDevice.test(name) ? `@${name}` : name;
}

/** Diagnostics about a template's name. */
export function checkName(name: string, file: string): Diagnostic[] {
  const location = { template: name, at: { file } };
  const problem = nameProblem(name);
  if (problem === undefined) return [];
  const better = kebabCase(name);
  const rename = nameProblem(better) === undefined ? `Rename it to ${better}, or begin` : "Begin";
  const hint = `${rename} its name with _ if templates share it.`;
  return [{ rule: "template-name", severity: "error", message: problem, ...location, hint }];
}

/** Why a template can't have this name, as a sentence; undefined if it can. */
export function nameProblem(name: string): string | undefined {
  if (!TEMPLATE_NAME.test(name)) {
    return `"${name}" is not a valid template name. Use lower-case letters, digits, - and _, beginning with a letter or digit.`;
  }
  if (name.includes("__")) return `"${name}" is not a valid template name: __ is reserved for languages.`;
  if (name.length > NAME_MAX)
    return `The template name "${name}" is ${name.length} characters; the limit is ${NAME_MAX}.`;
  return undefined;
}

/**
 * Turns any name into the most similar template name; the result is not always valid.
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

/** Strips accents: `Ünï` becomes `Uni`. */
function plainLetters(name: string): string {
  return name
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "");
}
