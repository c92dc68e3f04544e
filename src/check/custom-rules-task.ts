import { z } from "zod";
import type { SourcePosition } from "../diagnostic.js";
import type { Bundle } from "../process/bundle.js";
import type { TaskContext } from "../process/host.js";
import type { CompiledTemplate, Template } from "../project/template.js";
import { withDocument } from "./checked-template.js";
import type { DocumentInput } from "./document/email-document.js";
import type { CheckedProject, CheckedTemplate, Finding, Rule, CheckSettings } from "./rule.js";

/*
 * The worker's side of custom rules. Documents arrive as data and are rebuilt here.
 */

/** A checked template as data. */
export interface TemplateData {
  readonly template: Template;
  readonly compiled: CompiledTemplate;
  readonly document: DocumentInput;
}

interface TemplateTaskInput {
  /** The bundled configuration. */
  readonly bundle: Bundle;
  readonly settings: CheckSettings;
  readonly template: TemplateData;
}

interface ProjectTaskInput extends Omit<CheckedProject, "checked"> {
  readonly bundle: Bundle;
  readonly templates: readonly TemplateData[];
}

/** A rule's findings, or why it failed. */
export interface RuleOutcome {
  readonly id: string;
  readonly findings: readonly Finding[];
  readonly problem?: { readonly message: string; readonly at?: SourcePosition };
}

/** Whether each custom rule checks single templates, all templates, or both. */
export async function describeRules(bundle: Bundle, worker: TaskContext) {
  return (await rulesOf(bundle, worker)).map(({ id, checkTemplate, checkAll }) => ({
    id,
    checksTemplates: checkTemplate !== undefined,
    checksAll: checkAll !== undefined,
  }));
}

export function checkOneTemplate(input: TemplateTaskInput, worker: TaskContext): Promise<RuleOutcome[]> {
  const checked = readTemplate(input.template, input.settings);
  return runRules(input.bundle, worker, (rule) => rule.checkTemplate?.(checked));
}

export function checkWholeProject(input: ProjectTaskInput, worker: TaskContext): Promise<RuleOutcome[]> {
  const { bundle, templates, ...project } = input;
  const checked = templates.map((each) => readTemplate(each, project.settings));
  return runRules(bundle, worker, (rule) => rule.checkAll?.({ ...project, checked }));
}

async function runRules(
  bundle: Bundle,
  worker: TaskContext,
  check: (rule: Rule) => ReturnType<NonNullable<Rule["checkAll"]>> | undefined,
): Promise<RuleOutcome[]> {
  const found: RuleOutcome[] = [];
  for (const rule of await rulesOf(bundle, worker)) {
    const { id } = rule;
    try {
      const { data, error } = findingsSchema.safeParse([...((await check(rule)) ?? [])]);
      const [issue] = error?.issues ?? [];
      const message = `It returned an invalid finding: ${issue?.path.join(".")}: ${issue?.message}.`;
      found.push({ id, findings: data ?? [], ...(issue && { problem: { message } }) });
    } catch (error) {
      found.push({ id, findings: [], problem: describeError(error, worker) });
    }
  }
  return found;
}

const place = z.int().min(1);
const position = z.strictObject({ file: z.string(), line: place.optional(), column: place.optional() });

/** The findings that a custom rule may return. */
const findingsSchema = z.array(
  z.strictObject({
    message: z.string().min(1),
    severity: z.enum(["error", "warning", "info"]).optional(),
    at: position.optional(),
    hint: z.string().optional(),
    template: z.string().optional(),
    edits: z
      .array(
        z.strictObject({
          at: position.required(),
          remove: z.string(),
          insert: z.string(),
          isUnsafe: z.literal(true).optional(),
        }),
      )
      .optional(),
  }),
) satisfies z.ZodType<Finding[]>;

function describeError(error: unknown, worker: TaskContext): NonNullable<RuleOutcome["problem"]> {
  if (!(error instanceof Error)) return { message: `It threw ${String(error)}.` };
  const at = worker.positionOf(error);
  const message = error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
  return at === undefined ? { message } : { message, at };
}

async function rulesOf(bundle: Bundle, worker: TaskContext): Promise<readonly Rule[]> {
  const { default: config } = await worker.load(bundle);
  // The configuration was validated when it was read.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (config as { check: { custom: readonly Rule[] } }).check.custom;
}

function readTemplate({ document, ...others }: TemplateData, settings: CheckSettings): CheckedTemplate {
  return withDocument({ ...others, settings }, () => document);
}
