import { setImmediate as turn } from "node:timers/promises";
import type { Diagnostic } from "../diagnostic.js";
import type { CompiledTemplate, CompileResult, Template } from "../template/template.js";
import { checkedTemplate, type HasSitedHtml, readingOnce } from "./checked-template.js";
import { onceEach } from "./once-each.js";
import type { CheckedProject, Finding, ProjectFiles, Rule } from "./rule.js";
import { RULES } from "./rules.js";
import { type CheckSettings, DEFAULT_SETTINGS } from "./settings.js";

/** What rules are run with. */
export interface RuleOptions {
  /** Default: all of them. */
  readonly rules?: readonly Rule[];
  readonly settings?: CheckSettings;
  /** Where the html of each result was written, in the same order: read when a rule asks for it. */
  readonly sited?: readonly HasSitedHtml[];
  /** What else lies in the project; without it, what is about the project as a whole is not checked. */
  readonly files?: ProjectFiles | undefined;
}

/**
 * What the rules find in templates that are compiled already.
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

/** What the rules find that look at one template: a list for each result, in the same order. */
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
    // What a worker answers meanwhile has its turn.
    await turn();
  }
  return found;
}

/** What the rules find that look at all templates together. */
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

/** A rule that fails has checked nothing, and that is said. */
async function run(
  { id, severity }: Rule,
  template: Template | undefined,
  check: () => Iterable<Finding> | Promise<Iterable<Finding>> | undefined,
): Promise<Diagnostic[]> {
  const named = template ? { template: template.name } : {};
  try {
    return onceEach(Array.from((await check()) ?? [], (finding) => ({ rule: id, severity, ...named, ...finding })));
  } catch (error) {
    const message = `The rule ${id} could not be checked${template ? ` for ${template.name}` : ""}: ${error instanceof Error ? error.message : String(error)}`;
    const at = template ? { at: { file: template.body.file } } : {};
    return [{ rule: "rule-failed", severity: "error", message, ...named, ...at, hint: FAILED }];
  }
}

const FAILED = "If it is a rule of your own, mend it; otherwise report this with the template.";

function hasCompiled(result: CompileResult): result is CompileResult & { readonly compiled: CompiledTemplate } {
  return result.compiled !== undefined;
}
