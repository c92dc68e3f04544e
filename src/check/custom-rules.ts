import { memoizeByObject } from "../cache/memoize.js";
import type { Diagnostic } from "../diagnostic.js";
import { ConfigurationError } from "../errors.js";
import { bundleModule } from "../process/bundle.js";
import type { ModuleHost, Task } from "../process/host.js";
import { ModuleError } from "../process/module-error.js";
import type { RuleInfo, CheckedProject, CheckedTemplate, Finding, Rule } from "./rule.js";
import type {
  checkOneTemplate,
  checkWholeProject,
  describeRules,
  RuleOutcome,
  TemplateData,
} from "./custom-rules-task.js";

const module = new URL("./custom-rules-task.js", import.meta.url);
const DESCRIBE: Task<typeof describeRules> = { module, name: "describeRules" };
const CHECK_TEMPLATE: Task<typeof checkOneTemplate> = { module, name: "checkOneTemplate" };
const CHECK_PROJECT: Task<typeof checkWholeProject> = { module, name: "checkWholeProject" };

/** Longer than any rule should take for one template. */
const TIMEOUT_MS = 5_000;

interface CustomRulesOptions {
  readonly host: ModuleHost;
  /** The configuration file with the rules in `check.custom`. */
  readonly configFile: string;
  /** What the configuration says about them. */
  readonly custom: readonly RuleInfo[];
  /** Timeout in ms for all rules on one template. Default 5 s. */
  readonly timeoutMs?: number;
}

/**
 * Wraps the project's own rules so that they run like built-in ones. Their code runs in the worker.
 *
 * @returns `failed` collects diagnostics of failures while the rules run.
 * @throws {ConfigurationError} A rule has no check.
 * @throws {ModuleError} The configuration can't be loaded.
 */
export async function loadCustomRules({
  host,
  configFile,
  custom,
  timeoutMs = TIMEOUT_MS,
}: CustomRulesOptions): Promise<{ readonly rules: readonly Rule[]; readonly failed: readonly Diagnostic[] }> {
  if (custom.length === 0) return { rules: [], failed: [] };
  const bundle = await bundleModule(configFile);
  const shapes = await host.run(DESCRIBE, bundle);
  const idle = shapes.find(({ checksTemplates, checksAll }) => !checksTemplates && !checksAll);
  if (idle) {
    throw new ConfigurationError(`The rule "${idle.id}" of check.custom has neither checkTemplate nor checkAll.`, {
      hint: 'Create it with defineRule from "lettershop/check", and use what it returns unchanged.',
    });
  }
  const failed: Diagnostic[] = [];
  /** Runs all rules when the first of them is needed. */
  const run = memoizeByObject(async ({ checked, ...project }: CheckedProject) => {
    const findings = new Map<string, Finding[]>();
    const collect = (outcomes: readonly RuleOutcome[], template?: string): void => {
      const named = template === undefined ? {} : { template };
      for (const { id, findings: own, problem } of outcomes) {
        findings.set(id, [...(findings.get(id) ?? []), ...own.map((finding) => ({ ...named, ...finding }))]);
        if (problem) failed.push(failure(`The rule ${id} failed`, problem, template));
      }
    };
    try {
      const { settings } = project;
      for (const each of shapes.some(({ checksTemplates }) => checksTemplates) ? checked : [])
        collect(
          await host.run(CHECK_TEMPLATE, { bundle, settings, template: toData(each) }, { timeoutMs }),
          each.template.name,
        );
      if (shapes.some(({ checksAll }) => checksAll))
        collect(await host.run(CHECK_PROJECT, { bundle, ...project, templates: checked.map(toData) }, { timeoutMs }));
    } catch (error) {
      // A rule that hangs or ends the worker would do so for each template.
      if (!(error instanceof ModuleError)) throw error;
      failed.push(failure("The project's own rules were stopped", error));
    }
    return findings;
  });

  const rules = custom.map((info): Rule => ({
    ...info,
    checkAll: async (project) => (await run(project)).get(info.id) ?? [],
  }));
  return { rules, failed };
}

function failure(what: string, { message, at }: NonNullable<RuleOutcome["problem"]>, template?: string): Diagnostic {
  return {
    rule: "rule-failed",
    severity: "error",
    message: `${what}${template === undefined ? "" : ` for ${template}`}: ${message}`,
    ...(template !== undefined && { template }),
    ...(at && { at }),
    hint: "Fix it in the configuration, or remove it from check.custom.",
  };
}

function toData({ template, compiled, document }: CheckedTemplate): TemplateData {
  return { template, compiled, document: document.input };
}
