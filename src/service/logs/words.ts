/** Accents and the like, which are left out of words. */
const ACCENTS = /[\u0300-\u036f]/g;
const ASCII = /^[\0-\x7f]*$/;

/**
 * The words of a text, in a form to compare: lower case, without accents, in one of the ways in which Unicode can write
 * them. What is neither letter nor digit parts words.
 *
 * @example
 * words("Réçu for Ada@example.com"); // ["recu", "for", "ada", "example", "com"]
 */
export function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = text.normalize("NFKD").toLowerCase().replace(ACCENTS, "").replaceAll("ς", "σ").normalize("NFC");
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
