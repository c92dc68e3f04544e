import { renderMustache } from "../../mustache/fill.js";
import type { CheckedTemplate } from "../rule.js";

/** A subject as recipients see it. */
export interface FilledSubject {
  readonly text: string;
  /** Undefined if there are no fixtures; the tags then print nothing. */
  readonly fixture?: string;
}

/**
 * A template's subject as each of its fixtures fills it.
 *
 * @example
 * filledSubjects(checked); // [{ fixture: "default", text: "Your receipt FH-10482" }]
 */
export function filledSubjects({ compiled: { subject, fixtures } }: CheckedTemplate): FilledSubject[] {
  const fill = (variables: Readonly<Record<string, unknown>>): string =>
    renderMustache(subject, variables, { escape: "none" });
  if (fixtures.length === 0) return [{ text: fill({}) }];
  return fixtures.map(({ name, variables }) => ({ fixture: name, text: fill(variables) }));
}
