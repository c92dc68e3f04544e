import { RE2JS, RE2JSSyntaxException } from "@bufbuild/re2";

const SHOWN_MAX = 40;

/**
 * Compiles a regular expression in RE2's syntax, which matches in linear time: no lookarounds, no back references.
 *
 * @throws Error with the problem and its place.
 */
export function compileRegex(source: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(source);
    return (text) => compiled.test(text);
  } catch (error) {
    throw error instanceof RE2JSSyntaxException ? new Error(wordingOf(error, source), { cause: error }) : error;
  }
}

function wordingOf(error: RE2JSSyntaxException, source: string): string {
  const wrong = error.getPattern() ?? "";
  const shown = wrong.length > SHOWN_MAX ? `${wrong.slice(0, SHOWN_MAX)}…` : wrong;
  // A problem of the whole expression has no place in it.
  const at = wrong === source ? -1 : source.indexOf(wrong);
  return `${error.getDescription()} in ${JSON.stringify(shown)}${at < 0 ? "" : ` at character ${at + 1}`}`;
}
