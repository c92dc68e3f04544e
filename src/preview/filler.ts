/*
 * Characters that show nothing. Preheaders are padded with them, so that the body's first words don't follow in a list of
 * mails.
 */

/** Where so many of them follow each other, nothing behind them is seen in a list. */
export const padding: RegExp =
  /(?:(?:[\u00A0\u2000-\u200A\u202F\u205F\u2800]|\p{Default_Ignorable_Code_Point})\s*){10,}/u;

/** Of no width; but for what joins letters, or makes an emoji of several characters. */
const invisible = /(?!\u200C|\u200D|\uFE0F|[\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}|\u2800/gu;

/** What joins, where there is nothing before or behind it. */
const alone = /(^|\s)(?:\u200C|\u200D|\uFE0F)+|(?:\u200C|\u200D)+(?=\s|$)/g;

/**
 * Words as they are seen: one space between them, and nothing that is not seen.
 *
 * @example
 * seenWords("Your receipt \u00A0\u034F\u200C"); // "Your receipt"
 */
export function seenWords(words: string): string {
  return words.replace(invisible, "").replace(alone, "$1").replace(/\s+/g, " ").trim();
}
