import type { Diagnostic } from "../diagnostic.js";
import type { CompiledTemplate, Template } from "../template/template.js";

/** A template that compiled, beside its source. */
export interface CheckedTemplate {
  readonly template: Template;
  readonly compiled: CompiledTemplate;
}

/** What a rule finds: the rule's id is added, and the template's name where there is one. */
export type Finding = Omit<Diagnostic, "rule" | "template">;

/**
 * One thing that is checked about compiled templates. Pure: it reads nothing but what it is given.
 *
 * @example
 * export const subjectMissing: Rule = {
 *   id: "subject-missing",
 *   checkTemplate: ({ compiled, template }) => compiled.subject === "" ? [{ … }] : [],
 * };
 */
export interface Rule {
  /** Stable, in kebab-case; also the name of its page in `docs/rules/`. */
  readonly id: string;
  readonly checkTemplate?: (checked: CheckedTemplate) => readonly Finding[];
  /** Looks at all templates together. */
  readonly checkAll?: (templates: readonly Template[]) => readonly Finding[];
}
