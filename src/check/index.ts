import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult, Template } from "../template/template.js";
import { differenceOf, notReproducible, timeInBody, type Rebuild } from "./reproducible.js";
import type { Rule } from "./rule.js";
import { RULES } from "./rules.js";

export type { CheckedTemplate, Finding, Rule } from "./rule.js";
export { RULES } from "./rules.js";

export interface CheckOptions {
  readonly templates: readonly Template[];
  /** Compiles the templates, one result for each in the same order: `compileAll` with its context. */
  readonly compile: (templates: readonly Template[]) => Promise<readonly CompileResult[]>;
  /** Compiles templates once more, with nothing left from before: `recompile` with its context. */
  readonly recompile: (templates: readonly Template[], clock: "now" | "later") => Promise<readonly Rebuild[]>;
  /** Tries a compiled template with variables that no fixture has: `tryVariations` with its context. */
  readonly tryVariations: (result: CompileResult) => Promise<readonly Diagnostic[]>;
  /** Default: all of them. */
  readonly rules?: readonly Rule[];
}

/**
 * Compiles the templates and reports everything that is wrong with them: what compiling finds, what the rules find,
 * whether a component renders the same as its body with other variables too, and whether compiling once more, now and
 * in a year, gives the same.
 *
 * @example
 * const diagnostics = await checkTemplates({
 *   templates,
 *   compile: (all) => compileAll(all, context),
 *   recompile: (all, clock) => recompile(all, context, clock),
 *   tryVariations: (result) => tryVariations(result, context),
 * });
 * if (hasErrors(diagnostics)) process.exitCode = 1;
 *
 * @throws What the functions throw.
 */
export async function checkTemplates(options: CheckOptions): Promise<Diagnostic[]> {
  const { templates, compile, tryVariations, rules = RULES } = options;
  const results = await compile(templates);
  const [varied, rebuilt] = await Promise.all([
    Promise.all(results.map(tryVariations)),
    checkRebuilds(results, options),
  ]);
  return [
    ...results.flatMap(({ diagnostics }, index) => [
      ...diagnostics,
      ...(varied[index] ?? []),
      ...(rebuilt[index] ?? []),
    ]),
    ...checkCompiled(results, rules),
  ];
}

/** One list of findings for each result. */
async function checkRebuilds(
  results: readonly CompileResult[],
  { recompile }: Pick<CheckOptions, "recompile">,
): Promise<Diagnostic[][]> {
  const templatesOf = (some: readonly CompileResult[]): Template[] => some.map(({ template }) => template);
  const later = await recompile(templatesOf(results), "later");
  const differing = results.flatMap((result, index) => {
    const rebuild = later[index];
    const difference = rebuild && differenceOf(result, rebuild);
    return difference ? [{ result, rebuild, difference }] : [];
  });
  const again = await recompile(templatesOf(differing.map(({ result }) => result)), "now");
  return results.map((result) => {
    const index = differing.findIndex((each) => each.result === result);
    const [found, now] = [differing[index], again[index]];
    if (!found || !now) return [];
    const today = differenceOf(result, now);
    return [today ? notReproducible(result, today, now) : timeInBody(result, found.difference, found.rebuild)];
  });
}

/**
 * What the rules find in templates that are compiled already.
 *
 * @example
 * const findings = checkCompiled(results);
 */
export function checkCompiled(results: readonly CompileResult[], rules: readonly Rule[] = RULES): Diagnostic[] {
  return rules.flatMap(({ id, checkTemplate, checkAll }) => [
    ...(checkAll?.(results.map(({ template }) => template)) ?? []).map((finding) => ({ rule: id, ...finding })),
    ...results.flatMap(({ name, template, compiled }) =>
      compiled && checkTemplate
        ? checkTemplate({ template, compiled }).map((finding) => ({ rule: id, template: name, ...finding }))
        : [],
    ),
  ]);
}
