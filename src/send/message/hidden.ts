/** Embeddings, overrides and isolates (UAX #9). The marks and the joiners are part of how Arabic, Hebrew or Persian is written. */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
/** What takes no room, or is blank without being a space. */
const INVISIBLE = /[\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/;

/** What of a name its reader does not see, as the end of a sentence about it; undefined where all is seen. */
export function hiddenIn(name: string): string | undefined {
  if (DIRECTION.test(name)) return "has characters in it that change the direction of writing, and so hide how it ends";
  return INVISIBLE.test(name) ? "has an invisible character in it, such as a zero-width space" : undefined;
}
