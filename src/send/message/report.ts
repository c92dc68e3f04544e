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

/** Reports a control character, a line break among them: in a header it would begin another one. */
export function hasControlCharacters(text: string, path: string, report: Report): boolean {
  const found = /[\p{Cc}\p{Cs}\u2028\u2029]/u.exec(text)?.[0];
  if (found === undefined) return false;
  if (/\p{Cs}/u.test(found)) report(path, "has half of a character in it: a text was cut in the middle of one");
  else
    report(path, /[\n\r\u0085\u2028\u2029]/.test(found) ? "has a line break in it" : "has a control character in it");
  return true;
}
