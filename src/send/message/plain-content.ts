import type { Given } from "./read-options.js";
import type { Report } from "./report.js";
import { checkNothingToFill, checkSubject } from "./subject.js";

/** What a message without a template says. */
export interface PlainContent {
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/**
 * Checks the content of a message without a template. The service reads its subject as Mustache, and nothing else
 * (part 4): `{{` in the bodies arrives as it is.
 */
export function readPlainContent(given: Given, report: Report): PlainContent {
  const subject = checkSubject(given.subject, report) ? given.subject : "";
  checkNothingToFill(subject, report);
  const text = readBody("text", given.text, report);
  const html = readBody("html", given.html, report);
  if (!given.text && !given.html)
    report("text", "is missing: a message without a template has a text, an html or both");
  return { subject, ...(text ? { text } : {}), ...(html ? { html } : {}) };
}

function readBody(path: "text" | "html", value: unknown, report: Report): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") report(path, "is not a text");
  else if (/[\0\p{Cs}]/u.test(value)) report(path, "has a character in it that is no text: U+0000, or half of one");
  else return value;
  return undefined;
}
