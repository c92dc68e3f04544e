/** Characters that move the cursor, set colours, break lines or change the text direction. Tabs don't. */
const acting = /(?!\t)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The start of a CI system's command. GitHub recognises `::` at the start of a line, also after white space; GitHub's and
 * Azure's `##[`, `##vso[` and `##teamcity[` are recognised anywhere in a line.
 */
const command = /(?<=^\s*):(?=:)|#(?=#\w*\[)/g;

/**
 * Makes any text safe to print on a terminal and in a CI log: escapes control characters and those that change the text
 * direction, such as `\u001b`, and prevents lines from acting as CI commands. Keeps line breaks and tabs.
 *
 * @example
 * harmless("\u001b[2J\n::error::Gone"); // "\\u001b[2J\n\\u003a:error::Gone"
 */
export function harmless(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => escapeInline(line).replace(command, unicodeEscape))
    .join("\n");
}

/** Escapes control characters in part of a line. */
export function escapeInline(text: string): string {
  return text.replace(acting, unicodeEscape);
}

/** `\u001b` */
function unicodeEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

/** Characters that control the terminal, are invisible or change the text direction. Text from the service may contain them. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Makes control characters and tabs visible: `\u001b` and `⇥`. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => (character === "\t" ? "⇥" : unicodeEscape(character)));
}
