import type { Problem } from "./errors.js";

/** Collects a problem; checking continues, so that all problems are reported at once. */
export type ReportProblem = (path: string, message: string) => void;

export function collectProblems(): { readonly problems: readonly Problem[]; readonly report: ReportProblem } {
  const problems: Problem[] = [];
  return { problems, report: (path, message) => void problems.push({ path, message }) };
}

/** An encoded word of a header (RFC 2047), in base64 or with `=0A` for a line break. */
const ENCODED_WORD = /=\?[^?\s]+\?(?:(b)|q)\?([^?\s]*)\?=/gi;

/** Reports control characters, including line breaks: in a header, one would begin another header. */
export function hasControlCharacters(text: string, path: string, report: ReportProblem): boolean {
  const literal = controlIn(text);
  // A server on the way may decode encoded words and write the header again.
  const encoded = text.includes("=?") ? controlIn(decodedWords(text)) : undefined;
  if (literal === undefined && encoded === undefined) return false;
  if (literal !== undefined && /\p{Cs}/u.test(literal))
    report(path, "contains half of a character: a string was cut in the middle of one");
  else {
    const what = /[\n\r\u0085\u2028\u2029]/.test(literal ?? encoded ?? "") ? "a line break" : "a control character";
    report(path, `contains ${what}${literal === undefined ? ", in an encoded word" : ""}`);
  }
  return true;
}

function controlIn(text: string): string | undefined {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.exec(text)?.[0];
}

/** The ASCII of the decoded words: other characters cannot begin a header. */
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

/**
 * Embeddings, overrides and isolates (UAX #9). The marks and joiners are excluded: Arabic, Hebrew and Persian need
 * them.
 */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
/** Characters that take no room, or are blank without being a space. */
const INVISIBLE = /[\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/;

/** Why part of a name can't be seen, as a verb phrase; undefined if all of it can. */
export function hiddenIn(name: string): string | undefined {
  if (DIRECTION.test(name)) return "contains characters that reverse the writing direction and so disguise how it ends";
  return INVISIBLE.test(name) ? "contains an invisible character, such as a zero-width space" : undefined;
}
