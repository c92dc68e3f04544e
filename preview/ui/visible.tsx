/**
 * Control characters and characters that change the text direction. Other white space is rendered as a space anyway.
 */
export const ACTING = /(?![\t\n\r])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A line of an email, or of its sender, in which control characters have no effect: each is shown as an escape
 * sequence.
 *
 * @example
 * visible("Invoice \u202efdp.exe"); // "Invoice \\u202efdp.exe"
 */
export function visible(text: string): string {
  return text.replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same as an element that is isolated from the text direction around it. */
export const Visible = ({ text }: { readonly text: string }) => <bdi>{visible(text)}</bdi>;
