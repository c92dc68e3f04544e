import type { Diagnostic } from "../diagnostic.js";
import type { CompileResult, Template } from "../template/template.js";
import { compareBuilds } from "./reproducible.js";
import type { Rule } from "./rule.js";
import { RULES } from "./rules.js";

export type { CheckedTemplate, Finding, Rule } from "./rule.js";
export { RULES } from "./rules.js";

export interface CheckOptions {
  readonly templates: readonly Template[];
  /** Compiles the templates, one result for each in the same order: `compileAll` with its context. */
  readonly compile: (templates: readonly Template[]) => Promise<readonly CompileResult[]>;
  /** Default: all of them. */
  readonly rules?: readonly Rule[];
}

/**
 * Compiles the templates and reports everything that is wrong with them: what compiling finds, what the rules find,
 * and whether compiling once more gives the same.
 *
 * @example
 * const diagnostics = await checkTemplates({ templates, compile: (all) => compileAll(all, context) });
 * if (hasErrors(diagnostics)) process.exitCode = 1;
 *
 * @throws What `compile` throws.
 */
export async function checkTemplates({ templates, compile, rules = RULES }: CheckOptions): Promise<Diagnostic[]> {
  const results = await compile(templates);
  const again = await compile(templates);
  return [
    ...results.flatMap((result, index) => {
      const second = again[index];
      return [...result.diagnostics, ...(second ? compareBuilds(result, second) : [])];
    }),
    ...checkCompiled(results, rules),
  ];
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
