import { nearest } from "../../text/nearest.js";

/** Names of at least this length may have two wrong letters. */
const LONG = 10;

/**
 * The candidate that a name is probably a typo of. Names that differ more may be valid but missing from the candidates.
 *
 * @example
 * typoOf("blakc", ["black", "blue"]); // "black"
 * typoOf("rd", ["red"]); // undefined
 */
export function typoOf(name: string, candidates: readonly string[]): string | undefined {
  if (name.length < 4) return undefined;
  const maxDistance = name.length < LONG ? 1 : 2;
  return nearest(name, candidates, maxDistance);
}
