/**
 * An address of which one can tell whose domain it is, and nothing more; its display name is left out.
 *
 * @example
 * maskAddress("Ada Lovelace <ada@example.com>"); // "a…@example.com"
 */
export function maskAddress(address: string): string {
  const email = /<([^<>]+)>$/.exec(address)?.[1] ?? address;
  const at = email.lastIndexOf("@");
  return at === -1 ? email : `${String.fromCodePoint(email.codePointAt(0) ?? 0)}…${email.slice(at)}`;
}

/** A text with every address in it masked. */
export function maskAddresses(text: string): string {
  return text.replaceAll(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, maskAddress);
}
