import { unicodeEscape } from "../../escape-output.js";

/** Characters that control the terminal, are invisible or change the text direction. Text from the service may contain them. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes control characters and tabs visible: `\u001b` and `⇥`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => (character === "\t" ? "⇥" : unicodeEscape(character)));
}

/** The width of text in terminal columns. East Asian characters and emoji take two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : 1;
  return width;
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\uff01-\uff60]/u;
