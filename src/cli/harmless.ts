/** Moves a cursor, sets a colour, breaks a line or changes the direction of text. Tabs don't. */
const acting = /(?!\t)[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The beginning of a command of a CI system. GitHub reads `::` at the start of a line, after white space too; `##[` of
 * GitHub and Azure, `##vso[` and `##teamcity[` count anywhere in a line.
 */
const command = /(?<=^\s*):(?=:)|#(?=#\w*\[)/g;

/**
 * Makes text of any origin safe to show on a terminal and in a CI log: control characters and those that change the
 * direction of text are shown as `\u001b`, and no line is a command of the CI system. Line breaks and tabs stay.
 *
 * @example
 * harmless("\u001b[2J\n::error::Gone"); // "\\u001b[2J\n\\u003a:error::Gone"
 */
export function harmless(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => inert(line).replace(command, unicodeEscape))
    .join("\n");
}

/** The same for a piece of a line: nothing in it acts. */
export function inert(text: string): string {
  return text.replace(acting, unicodeEscape);
}

/** `\u001b` */
export function unicodeEscape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
