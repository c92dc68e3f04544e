import { nearest } from "../../text/nearest.js";

/** From here on, two letters may be wrong. */
const LONG = 10;

/**
 * The name that a person meant who made one typing error; what is further away may be a name that nobody here knows.
 *
 * @example
 * typoOf("blakc", ["black", "blue"]); // "black"
 * typoOf("rd", ["red"]); // undefined
 */
export function typoOf(name: string, candidates: readonly string[]): string | undefined {
  if (name.length < 4) return undefined;
  const most = name.length < LONG ? 1 : 2;
  return nearest(name, candidates, most);
}
