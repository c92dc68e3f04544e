import { NAME_MAX, TEMPLATE_NAME } from "../api/limits.js";

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
