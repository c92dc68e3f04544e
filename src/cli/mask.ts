/**
 * Masks an email address except for its domain and first letter; removes the display name.
 *
 * @example
 * maskAddress("Ada Lovelace <ada@example.com>"); // "a…@example.com"
 */
export function maskAddress(address: string): string {
  const email = /<([^<>]+)>$/.exec(address)?.[1] ?? address;
  const at = email.lastIndexOf("@");
  return at === -1 ? email : `${String.fromCodePoint(email.codePointAt(0) ?? 0)}…${email.slice(at)}`;
}

/** Masks every email address in a string. */
export function maskAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, maskAddress);
}
