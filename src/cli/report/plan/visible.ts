import { unicodeEscape } from "../../harmless.js";

/** What moves a terminal's cursor, hides text or turns its direction: it comes from the service, where others write too. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text in which nothing acts or hides: controls as `\u001b`, tabs as `⇥`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => (character === "\t" ? "⇥" : unicodeEscape(character)));
}

/** How many columns a text takes on a terminal: those of East Asia and emoji have two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
