import type { Given } from "./read-options.js";
import type { Report } from "./report.js";
import { checkNothingToFill, checkSubject } from "./subject.js";

/** The content of a message without a template. */
export interface PlainContent {
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

/**
 * Checks the content of a message without a template. The service treats only its subject as Mustache (part 4): `{{` in
 * the bodies arrives unchanged.
 */
export function readPlainContent(options: Given, report: Report): PlainContent {
  const subject = checkSubject(options.subject, report) ? options.subject : "";
  checkNothingToFill(subject, report);
  const text = readBody("text", options.text, report);
  const html = readBody("html", options.html, report);
  if (!options.text && !options.html)
    report("text", "is missing: a message without a template needs text, html or both");
  return { subject, ...(text ? { text } : {}), ...(html ? { html } : {}) };
}

function readBody(path: "text" | "html", value: unknown, report: Report): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") report(path, "is not a string");
  else if (/[\0\p{Cs}]/u.test(value))
    report(path, "contains an invalid character: U+0000, or half of a surrogate pair");
  else return value;
  return undefined;
}
