/**
 * Embeddings, overrides and isolates (UAX #9). The marks and joiners are excluded: Arabic, Hebrew and Persian need
 * them.
 */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
/** Characters that take no room, or are blank without being a space. */
const INVISIBLE = /[\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/;

/** Why part of a name can't be seen, as a verb phrase; undefined if all of it can. */
export function hiddenIn(name: string): string | undefined {
  if (DIRECTION.test(name)) return "contains characters that reverse the writing direction and so disguise how it ends";
  return INVISIBLE.test(name) ? "contains an invisible character, such as a zero-width space" : undefined;
}
