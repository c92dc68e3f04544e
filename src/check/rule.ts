import type { Diagnostic, Severity } from "../diagnostic.js";
import type { CompiledTemplate, CompileResult, SourceFile, Template } from "../project/template.js";
import type { EmailDocument } from "./document/email-document.js";
import type { ProbeOptions } from "./lib/probed-urls.js";

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
  /** Stable, in kebab-case; also the name of its file and of its page in `docs/rules/`. */
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

/**
 * Creates a custom rule for `check.custom` in the configuration. It runs where template code runs, away from
 * the keys, and an error that it throws becomes a finding.
 *
 * @example
 * // lettershop.config.ts
 * const noMarquee = defineRule({
 *   id: "…", // in kebab-case
 *   summary: "Text moves.",
 *   severity: "warning",
 *   checkTemplate: ({ document }) =>
 *     document.named("marquee").map((element) => ({ message: "This text moves.", at: element.at() })),
 * });
 * export default defineConfig({ check: { custom: [noMarquee] } });
 */
export function defineRule(rule: Rule): Rule {
  const { id, summary, severity, checkTemplate, checkAll } = rule;
  // Configurations are read as data, so the functions are not enumerable. The worker that runs the rule finds them.
  return Object.defineProperties(
    { id, summary, severity },
    { checkTemplate: { value: checkTemplate }, checkAll: { value: checkAll } },
  );
}

/** What is known about a diagnostic besides the code that reports it. */
export type RuleInfo = Pick<Rule, "id" | "summary" | "severity">;

/** A diagnostic of this package. Its page in `docs/rules/` is generated from it, and its examples are tests. */
export interface DocumentedDiagnostic extends RuleInfo {
  /** What is found, in Markdown, if the summary does not say everything. */
  readonly details?: string;
  /** Why it matters, in Markdown, with a source. */
  readonly why: string;
  /** How to fix it, in Markdown. */
  readonly fix: string;
  /** How to silence it, in Markdown. Default: as for any other rule. */
  readonly silence?: string;
  /** Absent if it takes a network, or more files than an example has. */
  readonly examples?: { readonly wrong: readonly ExampleTemplate[]; readonly right: readonly ExampleTemplate[] };
}

/** A rule of this package. */
export interface BuiltInRule extends Rule, DocumentedDiagnostic {
  /** It requests URLs, so it runs only if the settings allow that. */
  readonly needsNetwork?: true;
  /** Its findings are where no comment can be, such as in JSON. */
  readonly isSilencedByComments?: false;
}

/**
 * The source of a template, or its files by path. `‸` is before the place that is reported; without one, a file or the whole
 * template is. HTML without `<html>` is part of a body that no rule reports.
 *
 * @example
 * '<p><a ‸href="#">Your order</a></p>'
 * { "order/template.json": '{ "name": "order",\n  ‸"name": "receipt" }', "order/order.html": "<p>Hello</p>" }
 */
export type ExampleTemplate = string | Readonly<Record<string, string>>;

interface DocumentParts {
  readonly head?: string;
  readonly style?: string;
  readonly body?: string;
}

/** A whole document, for an example of what is in its head, or of a rule about the document itself. */
export function documentWith({ head = "", style = "", body = "<p>Hello</p>" }: DocumentParts = {}): string {
  const lines = ["<title>Your order</title>", head, style && `<style>\n${style}\n</style>`];
  return `<!doctype html>
<html lang="en">
<head>
${lines.filter(Boolean).join("\n")}
</head>
<body>
${body}
</body>
</html>`;
}

/** What is before a reported place in an example. */
export const MARK = "‸";

/** What the source of an example is written in, as a file name extension. */
export function extensionOf(source: string): ".mjml" | ".tsx" | ".html" {
  if (source.replace(MARK, "").startsWith("<mjml")) return ".mjml";
  return /^(?:import|export) /.test(source) ? ".tsx" : ".html";
}

/** The project's settings for checks, with defaults. */
export interface CheckSettings {
  /** Patterns of email clients to support; if empty, the default list. */
  readonly clients: readonly string[];
  /** Variables that html may print unescaped, as `{{{name}}}`. */
  readonly rawVariables: readonly string[];
  /** Whether rules may use the network. */
  readonly network: boolean;
  /** How URLs are requested. */
  readonly probing?: ProbeOptions;
  /** The number of characters that sync appends to a description. */
  readonly markerLength: number;
}

export const DEFAULT_SETTINGS: CheckSettings = { clients: [], rawVariables: [], network: false, markerLength: 0 };

/** Why email clients reject what is written, and what was probably meant. */
export interface Mistake {
  readonly message: string;
  readonly hint?: string;
}

/** A mistake with its position in a string. */
export interface MistakeAt extends Mistake {
  readonly offset: number;
}
