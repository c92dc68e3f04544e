/*
 * Invisible characters. Preheaders are padded with them, so that a list of emails does not show the body's first words after
 * the preheader.
 */

/** A run of invisible characters so long that lists show nothing after it. */
export const padding: RegExp =
  /(?:(?:[\u00A0\u2000-\u200A\u202F\u205F\u2800]|\p{Default_Ignorable_Code_Point})\s*){10,}/u;

/** Characters without width, except those that join letters or are part of an emoji. */
const invisible = /(?!\u200C|\u200D|\uFE0F|[\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** Joiners without a character before or after them. */
const alone = /(^|\s)(?:\u200C|\u200D|\uFE0F)+|(?:\u200C|\u200D)+(?=\s|$)/g;

/** Text as recipients see it: single spaces and no invisible characters. */
export function seenWords(words: string): string {
  return words.replace(invisible, "").replace(alone, "$1").replace(/\s+/g, " ").trim();
}
