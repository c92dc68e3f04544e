import type { Diagnostic, Severity } from "../diagnostic.js";
import type { CompiledTemplate, CompileResult, SourceFile, Template } from "../template/template.js";
import type { EmailDocument } from "./document/email-document.js";
import type { CheckSettings } from "./settings.js";

/** A template that compiled, beside its source. */
export interface CheckedTemplate {
  readonly template: Template;
  readonly compiled: CompiledTemplate;
  /** The compiled html as a tree, each element with where it was written. */
  readonly document: EmailDocument;
  readonly settings: CheckSettings;
}

/** All templates that are checked, those too that did not compile. */
export interface CheckedProject {
  readonly results: readonly CompileResult[];
  /** Those that compiled. */
  readonly checked: readonly CheckedTemplate[];
  /** Absent where only some of the templates are checked. */
  readonly files?: ProjectFiles;
  readonly settings: CheckSettings;
}

/** What lies in the templates roots, whether or not a template uses it. */
export interface ProjectFiles {
  /** Every file under the roots, absolute, sorted. */
  readonly all: readonly string[];
  /** The registry as it is on disk, where there is one. */
  readonly registry?: SourceFile;
  /** What the registry would be, generated anew. */
  readonly generated?: string;
}

/**
 * What a rule finds. The rule's id is added, its severity where the finding has none of its own, and the template's name
 * where one template is checked.
 */
export type Finding = Omit<Diagnostic, "rule" | "severity"> & { readonly severity?: Severity };

/**
 * One thing that is checked about compiled templates. Pure, but for what asks the network: it reads nothing but what it
 * is given.
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
  /** How bad it is, unless the finding or the configuration says otherwise. */
  readonly severity: Severity;
  /** Only some teams want it: it is off unless the configuration extends `all`, or gives it a level. */
  readonly isOptional?: true;
  readonly checkTemplate?: (checked: CheckedTemplate) => Iterable<Finding> | Promise<Iterable<Finding>>;
  /** Looks at all templates together. */
  readonly checkAll?: (project: CheckedProject) => Iterable<Finding> | Promise<Iterable<Finding>>;
}
