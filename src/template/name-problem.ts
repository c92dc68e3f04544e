import { NAME_MAX, TEMPLATE_NAME } from "../api/limits.js";

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
