import { SUBJECT_MAX } from "../../api/limits.js";
import { MustacheSyntaxError, renderMustache } from "../../mustache/fill.js";
import { checkVariables } from "../../mustache/usage.js";
import type { Variables } from "../../mustache/variables.js";
import type { RegistryEntry } from "../../template/registry.js";
import { collectProblems, hasControlCharacters, type Report } from "./report.js";

/**
 * Reports a subject that is not a valid header line, or longer than the service stores for a template. Counts UTF-16
 * units, of which there are never fewer than code points: a subject that passes here is short enough either way.
 */
export function checkSubject(subject: unknown, report: Report): subject is string {
  const { problems, report: note } = collectProblems();
  if (subject === undefined) note("subject", "is missing");
  else if (typeof subject !== "string") note("subject", "is not a string");
  else if (subject.trim() === "") note("subject", "is empty");
  else if (!hasControlCharacters(subject, "subject", note) && subject.length > SUBJECT_MAX)
    note("subject", `has ${subject.length} characters; the limit is ${SUBJECT_MAX}`);
  for (const { path, message } of problems) report(path, message);
  return problems.length === 0;
}

/** Reports a subject that the service would fill: it treats every subject as Mustache (part 4). */
export function checkNothingToFill(subject: string, report: Report): void {
  if (subject.includes("{{")) report("subject", "contains {{, which the service would fill");
}

export interface TemplateSubject {
  /** The message's own subject, which replaces the template's. */
  readonly own: unknown;
  readonly entry: Pick<RegistryEntry, "subject" | "contract">;
  /** Undefined if the variables are invalid. */
  readonly variables: Variables | undefined;
  /** Whether it is filled here instead of by the service. */
  readonly isLocal: boolean;
}

/** The subject as the recipient gets it. Undefined if it cannot be sent, or the variables are invalid. */
export function readSubject({ own, entry, variables, isLocal }: TemplateSubject, report: Report): string | undefined {
  if (own === undefined && entry.subject === "") report("subject", "is missing: the template has no subject");
  else if (own === undefined || (checkSubject(own, report) && hasKnownTags(own, entry, report))) {
    const filled = variables && fillSubject(own ?? entry.subject, variables, report);
    const filledName = own === undefined ? "the template's subject" : "it";
    const reportFilled: Report = (path, message) => report(path, `after filling, ${filledName} ${message}`);
    if (filled === undefined || !checkSubject(filled, reportFilled)) return undefined;
    if (isLocal) checkNothingToFill(filled, reportFilled);
    return filled;
  }
  return undefined;
}

/** Reports tags that would print nothing. They are not quoted, because they may come from user input. */
function hasKnownTags(subject: string, { contract }: Pick<RegistryEntry, "contract">, report: Report): boolean {
  const findings = subject.includes("{{") ? checkVariables([subject], contract) : [];
  for (const { offset, nearName } of findings) {
    const question = nearName === undefined ? "" : `; did you mean "${nearName}"?`;
    report("subject", `has a tag at column ${offset + 1} that is not a variable of the template${question}`);
  }
  return findings.length === 0;
}

function fillSubject(subject: string, variables: Variables, report: Report): string | undefined {
  try {
    return renderMustache(subject, variables, { escape: "none" });
  } catch (error) {
    if (!(error instanceof MustacheSyntaxError)) throw error;
    report("subject", "is not valid Mustache");
    return undefined;
  }
}
