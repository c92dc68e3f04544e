import type { Problem } from "../errors.js";

/** Takes note of a problem; checking goes on, so that all of them are told at once. */
export type Report = (path: string, message: string) => void;

/**
 * @example
 * const { problems, report } = collectProblems();
 * checkSubject(subject, report);
 * if (problems.length > 0) throw new InvalidMessageError(problems);
 */
export function collectProblems(): { readonly problems: readonly Problem[]; readonly report: Report } {
  const problems: Problem[] = [];
  return { problems, report: (path, message) => void problems.push({ path, message }) };
}

/** A word as a header has it encoded (RFC 2047), in base64 or with `=0A` for a line break. */
const ENCODED_WORD = /=\?[^?\s]+\?(?:(b)|q)\?([^?\s]*)\?=/gi;

/** Reports a control character, a line break among them: in a header it would begin another one. */
export function hasControlCharacters(text: string, path: string, report: Report): boolean {
  const found = controlIn(text);
  // Between here and the recipient, somebody decodes what is encoded, and may write it down anew.
  const encoded = controlIn(decodedWords(text));
  if (found === undefined && encoded === undefined) return false;
  if (found !== undefined && /\p{Cs}/u.test(found))
    report(path, "has half of a character in it: a text was cut in the middle of one");
  else {
    const what = /[\n\r\u0085\u2028\u2029]/.test(found ?? encoded ?? "") ? "a line break" : "a control character";
    report(path, `has ${what} in it${found === undefined ? ", in an encoded word" : ""}`);
  }
  return true;
}

function controlIn(text: string): string | undefined {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.exec(text)?.[0];
}

/** What the ASCII of encoded words stands for: whatever else they hold begins no header. */
function decodedWords(text: string): string {
  return [...text.matchAll(ENCODED_WORD)]
    .map(([, isBase64, word = ""]) =>
      isBase64 === undefined
        ? word.replaceAll(/=([\da-f]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
        : Buffer.from(word, "base64").toString("latin1"),
    )
    .join("")
    .replaceAll(/[^\0-\x7f]/g, "");
}
