import type { Diagnostic, Severity } from "../diagnostic.js";
import type { CompiledTemplate, CompileResult, SourceFile, Template } from "../project/template.js";
import type { EmailDocument } from "./document/email-document.js";
import type { CheckSettings } from "./settings.js";

/** A compiled template with its source. */
export interface CheckedTemplate {
  readonly template: Template;
  readonly compiled: CompiledTemplate;
  /** The compiled html as a tree whose elements have source positions. */
  readonly document: EmailDocument;
  readonly settings: CheckSettings;
}

/** All templates that are checked, including those that did not compile. */
export interface CheckedProject {
  readonly results: readonly CompileResult[];
  /** The templates that compiled. */
  readonly checked: readonly CheckedTemplate[];
  /** Absent if only some of the templates are checked. */
  readonly files?: ProjectFiles;
  readonly settings: CheckSettings;
}

/** The files in the templates roots, whether or not a template uses them. */
export interface ProjectFiles {
  /** The absolute paths of all files under the roots, sorted. */
  readonly all: readonly string[];
  /** The registry on disk, if there is one. */
  readonly registry?: SourceFile;
  /** The registry as it would be generated now. */
  readonly generated?: string;
}

/**
 * What a rule finds. The rule's id is added, its severity if the finding has none of its own, and the template's name
 * if one template is checked.
 */
export type Finding = Omit<Diagnostic, "rule" | "severity"> & { readonly severity?: Severity };

/**
 * One check of compiled templates. Except for those that use the network, rules are pure: they read nothing but what they
 * are given.
 *
 * @example
 * export const subjectMissing: Rule = {
 *   id: "subject-missing",
 *   summary: "A template has no subject.",
 *   severity: "warning",
 *   checkTemplate: ({ compiled }) => (compiled.subject === "" ? [{ message: "There is no subject." }] : []),
 * };
 */
export interface Rule {
  /** Stable, in kebab-case; also the name of its page in `docs/rules/`. */
  readonly id: string;
  /** What it finds, in one sentence. */
  readonly summary: string;
  /** The severity, unless the finding or the configuration sets another one. */
  readonly severity: Severity;
  /** Off unless the configuration extends `all` or gives it a level, because only some teams want it. */
  readonly isOptional?: true;
  readonly checkTemplate?: (checked: CheckedTemplate) => Iterable<Finding> | Promise<Iterable<Finding>>;
  /** Checks all templates together. */
  readonly checkAll?: (project: CheckedProject) => Iterable<Finding> | Promise<Iterable<Finding>>;
}
