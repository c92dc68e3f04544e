import type { SourcePosition } from "../../diagnostic.js";
import type { Bundle } from "../../modules/module-bundle.js";
import type { TaskContext } from "../../modules/task.js";
import type { CompiledTemplate, CompileResult, Template } from "../../template/template.js";
import { type DocumentInput, EmailDocument } from "../document/email-document.js";
import { findingsSchema } from "./finding-schema.js";
import type { CheckedProject, CheckedTemplate, Finding, Rule } from "../rule.js";
import type { CheckSettings } from "../settings.js";

/*
 * The worker's side of the project's own rules. What they look at comes as data, and is made anew here.
 */

/** A checked template as data. */
export interface TemplateData {
  readonly template: Template;
  readonly compiled: CompiledTemplate;
  readonly document: DocumentInput;
}

interface Shared {
  /** Of the configuration. */
  readonly bundle: Bundle;
  readonly ids: readonly string[];
  readonly settings: CheckSettings;
}

export interface TemplateTaskInput extends Shared {
  readonly template: TemplateData;
}

export interface ProjectTaskInput extends Shared {
  readonly templates: readonly TemplateData[];
  readonly results: readonly CompileResult[];
  readonly files?: CheckedProject["files"];
}

/** What became of a rule: what it found, or why it could not. */
export interface RuleOutcome {
  readonly id: string;
  readonly findings: readonly Finding[];
  readonly problem?: { readonly message: string; readonly at?: SourcePosition };
}

/** What the project's own rules look at. */
export interface RuleShape {
  readonly id: string;
  readonly looksAt: readonly ("template" | "all")[];
}

export async function describeRules(bundle: Bundle, worker: TaskContext): Promise<RuleShape[]> {
  return (await rulesOf(bundle, worker)).map(({ id, checkTemplate, checkAll }) => ({
    id,
    looksAt: [...(checkTemplate ? (["template"] as const) : []), ...(checkAll ? (["all"] as const) : [])],
  }));
}

export async function checkOneTemplate(input: TemplateTaskInput, worker: TaskContext): Promise<RuleOutcome[]> {
  return outcomes(input, worker, ({ checkTemplate }) => checkTemplate?.(checkedOf(input.template, input.settings)));
}

export async function checkWholeProject(input: ProjectTaskInput, worker: TaskContext): Promise<RuleOutcome[]> {
  const { templates, results, files, settings } = input;
  const checked = templates.map((each) => checkedOf(each, settings));
  return outcomes(input, worker, ({ checkAll }) => checkAll?.({ results, checked, settings, ...(files && { files }) }));
}

async function outcomes(
  { bundle, ids }: Shared,
  worker: TaskContext,
  check: (rule: Rule) => ReturnType<NonNullable<Rule["checkAll"]>> | undefined,
): Promise<RuleOutcome[]> {
  const rules = (await rulesOf(bundle, worker)).filter(({ id }) => ids.includes(id));
  const found: RuleOutcome[] = [];
  for (const rule of rules) found.push({ id: rule.id, ...(await run(() => check(rule), worker)) });
  return found;
}

async function run(
  check: () => Iterable<Finding> | Promise<Iterable<Finding>> | undefined,
  worker: TaskContext,
): Promise<Omit<RuleOutcome, "id">> {
  try {
    const parsed = findingsSchema.safeParse([...((await check()) ?? [])]);
    if (parsed.success) return { findings: parsed.data };
    const [issue] = parsed.error.issues;
    return { findings: [], problem: { message: `It gave no finding: ${issue?.path.join(".")}: ${issue?.message}.` } };
  } catch (error) {
    return { findings: [], problem: problemOf(error, worker) };
  }
}

function problemOf(error: unknown, worker: TaskContext): NonNullable<RuleOutcome["problem"]> {
  if (!(error instanceof Error)) return { message: `${String(error)} was thrown.` };
  const at = worker.positionOf(error);
  const message = error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
  return at === undefined ? { message } : { message, at };
}

async function rulesOf(bundle: Bundle, worker: TaskContext): Promise<readonly Rule[]> {
  const { default: config } = await worker.load(bundle);
  // Their ids, summaries and severities were read from the configuration, and are what it takes.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (config as { check: { custom: readonly Rule[] } }).check.custom;
}

/** The document is made when a rule asks for it. */
function checkedOf({ template, compiled, document: input }: TemplateData, settings: CheckSettings): CheckedTemplate {
  let document: EmailDocument | undefined;
  return {
    template,
    compiled,
    settings,
    get document() {
      document ??= new EmailDocument(input);
      return document;
    },
  };
}
