/** Control characters, and what changes the direction of the text that follows. White space is shown as a space anyway. */
export const ACTING = /(?![\t\n\r])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A line of an email or of who writes one, in which no control character acts: each is shown as what it is.
 *
 * @example
 * visible("Invoice \u202efdp.exe"); // "Invoice \\u202efdp.exe"
 */
export function visible(text: string): string {
  return text.replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same, which also keeps its direction from what is around it. */
export const Visible = ({ text }: { readonly text: string }) => <bdi>{visible(text)}</bdi>;
