import { SUBJECT_MAX } from "../../api/limits.js";
import { MustacheSyntaxError, renderMustache } from "../../mustache/fill.js";
import { checkVariables } from "../../mustache/usage.js";
import type { Variables } from "../../mustache/variables.js";
import type { RegistryEntry } from "../../template/registry.js";
import { collectProblems, hasControlCharacters, type Report } from "./report.js";

/**
 * Reports a subject that is no header line, or a longer one than the service stores for a template. UTF-16 units are
 * counted: there are never fewer of them than of code points, so that what passes here passes either way.
 */
export function checkSubject(subject: unknown, report: Report): subject is string {
  const { problems, report: note } = collectProblems();
  if (subject === undefined) note("subject", "is missing");
  else if (typeof subject !== "string") note("subject", "is not a text");
  else if (subject.trim() === "") note("subject", "is empty");
  else if (!hasControlCharacters(subject, "subject", note) && subject.length > SUBJECT_MAX)
    note("subject", `has ${subject.length} characters; the service takes ${SUBJECT_MAX}`);
  for (const { path, message } of problems) report(path, message);
  return problems.length === 0;
}

/** Reports a subject that the service would fill: it reads every request's as Mustache (part 4). */
export function checkNothingToFill(subject: string, report: Report): void {
  if (subject.includes("{{")) report("subject", "has {{ in it, which the service would fill");
}

export interface TemplateSubject {
  /** The message's own, which takes the place of the template's. */
  readonly own: unknown;
  readonly entry: Pick<RegistryEntry, "subject" | "contract">;
  /** Undefined where something is wrong with them. */
  readonly variables: Variables | undefined;
  /** Whether it is filled here, and not by the service. */
  readonly isLocal: boolean;
}

/** The subject as the recipient gets it. Undefined where it cannot be sent, or the variables are not known. */
export function readSubject({ own, entry, variables, isLocal }: TemplateSubject, report: Report): string | undefined {
  if (own === undefined && entry.subject === "") report("subject", "is missing: the template has none");
  else if (own === undefined || (checkSubject(own, report) && hasKnownTags(own, entry, report))) {
    const filled = variables && fillSubject(own ?? entry.subject, variables, report);
    const whose = own === undefined ? "of the template, " : "";
    const tell: Report = (path, message) => report(path, `${whose}filled with the variables, ${message}`);
    if (filled === undefined || !checkSubject(filled, tell)) return undefined;
    if (isLocal) checkNothingToFill(filled, tell);
    return filled;
  }
  return undefined;
}

/** Reports tags that would print nothing. They may have come with what somebody typed, so that they are not quoted. */
function hasKnownTags(subject: string, { contract }: Pick<RegistryEntry, "contract">, report: Report): boolean {
  const findings = subject.includes("{{") ? checkVariables([subject], contract) : [];
  for (const { offset, nearName } of findings) {
    const question = nearName === undefined ? "" : `; did you mean "${nearName}"?`;
    report("subject", `has a tag at column ${offset + 1} that the template's variables don't fit${question}`);
  }
  return findings.length === 0;
}

function fillSubject(subject: string, variables: Variables, report: Report): string | undefined {
  try {
    return renderMustache(subject, variables, { escape: "none" });
  } catch (error) {
    if (!(error instanceof MustacheSyntaxError)) throw error;
    report("subject", "is malformed Mustache");
    return undefined;
  }
}
