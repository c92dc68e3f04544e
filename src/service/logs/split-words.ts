/** Combining accents, which are removed from words. */
const ACCENTS = /[\u0300-\u036f]/g;
const ASCII = /^[\0-\x7f]*$/;

/**
 * The words of a text in a comparable form: lower case, without accents, in one Unicode normal form. Anything other
 * than letters and digits separates words.
 *
 * @example
 * words("Réçu for Ada@example.com"); // ["recu", "for", "ada", "example", "com"]
 */
export function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = text.normalize("NFKD").toLowerCase().replace(ACCENTS, "").replaceAll("ς", "σ").normalize("NFC");
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
