import { setImmediate as turn } from "node:timers/promises";
import type { Diagnostic } from "../diagnostic.js";
import type { CompiledTemplate, CompileResult, Template } from "../project/template.js";
import { checkedTemplate, type HasSitedHtml, readingOnce } from "./checked-template.js";
import { onceEach } from "./once-each.js";
import type { CheckedProject, Finding, ProjectFiles, Rule } from "./rule.js";
import { RULES } from "./catalogue.js";
import { type CheckSettings, DEFAULT_SETTINGS } from "./settings.js";

/** Options for running rules. */
export interface RuleOptions {
  /** Default: all of them. */
  readonly rules?: readonly Rule[];
  readonly settings?: CheckSettings;
  /** The sited html of each result, in the same order. Read when a rule needs it. */
  readonly sited?: readonly HasSitedHtml[];
  /** The project's other files. Without them, rules about the whole project find nothing. */
  readonly files?: ProjectFiles | undefined;
}

/**
 * Runs the rules on compiled templates.
 *
 * @example
 * const findings = await checkCompiled(results);
 */
export async function checkCompiled(
  results: readonly CompileResult[],
  options: RuleOptions = {},
): Promise<Diagnostic[]> {
  const each = await checkEach(results, options);
  return [...each.flat(), ...(await checkAllTogether(results, options))];
}

/** Runs the rules on each template: one list of findings for each result, in the same order. */
export async function checkEach(
  results: readonly CompileResult[],
  { rules = RULES, settings = DEFAULT_SETTINGS, sited = [] }: Omit<RuleOptions, "files">,
): Promise<Diagnostic[][]> {
  const found: Diagnostic[][] = [];
  const reading = { settings, read: readingOnce() };
  for (const [index, result] of results.entries()) {
    const own: Diagnostic[] = [];
    if (hasCompiled(result)) {
      const checked = checkedTemplate(result, sited[index], reading);
      for (const rule of rules) own.push(...(await run(rule, checked.template, () => rule.checkTemplate?.(checked))));
    }
    found.push(own);
    // Lets messages from workers be handled in between.
    await turn();
  }
  return found;
}

/** Runs the rules that check all templates together. */
export async function checkAllTogether(
  results: readonly CompileResult[],
  { rules = RULES, settings = DEFAULT_SETTINGS, sited = [], files }: RuleOptions,
): Promise<Diagnostic[]> {
  const reading = { settings, read: readingOnce() };
  const checked = results.flatMap((result, index) =>
    hasCompiled(result) ? [checkedTemplate(result, sited[index], reading)] : [],
  );
  const project: CheckedProject = { results, checked, settings, ...(files && { files }) };
  const found: Diagnostic[] = [];
  for (const rule of rules) found.push(...(await run(rule, undefined, () => rule.checkAll?.(project))));
  return found;
}

/** A rule that throws is reported as a finding. */
async function run(
  { id, severity }: Rule,
  template: Template | undefined,
  check: () => Iterable<Finding> | Promise<Iterable<Finding>> | undefined,
): Promise<Diagnostic[]> {
  const named = template ? { template: template.name } : {};
  try {
    return onceEach(Array.from((await check()) ?? [], (finding) => ({ rule: id, severity, ...named, ...finding })));
  } catch (error) {
    const message = `The rule ${id} failed${template ? ` for ${template.name}` : ""}: ${error instanceof Error ? error.message : String(error)}`;
    const at = template ? { at: { file: template.body.file } } : {};
    return [{ rule: "rule-failed", severity: "error", message, ...named, ...at, hint: FAILED }];
  }
}

const FAILED = "If it is your own rule, fix it. Otherwise, report this along with the template.";

function hasCompiled(result: CompileResult): result is CompileResult & { readonly compiled: CompiledTemplate } {
  return result.compiled !== undefined;
}
