import type { Diagnostic } from "../diagnostic.js";
import type { PositionedResult } from "../render/compile.js";
import type { CompileResult, Template } from "../project/template.js";
import { checkAllTogether, checkEach, type RuleOptions } from "./check-compiled.js";
import { buildAhead } from "./build-ahead.js";
import { checkRebuilds, type RebuildOptions } from "./check-rebuilds.js";
import type { HasSitedHtml } from "./checked-template.js";
import type { ProjectFiles } from "./rule.js";

export interface CheckOptions extends Pick<RuleOptions, "rules" | "settings">, RebuildOptions {
  readonly templates: readonly Template[];
  /**
   * Compiles the templates, one result for each in the same order, without the cache: `compileWithPositions` with its
   * context. A cached result from another day can't show whether builds of today are the same.
   */
  readonly compile: (templates: readonly Template[]) => Promise<readonly PositionedResult[]>;
  /**
   * Renders templates with variations of their fixtures, a list of findings for each: `tryVariations` with its context. The results
   * were compiled together with these templates.
   */
  readonly tryVariations: (
    results: readonly CompileResult[],
    together: readonly Template[],
  ) => Promise<readonly (readonly Diagnostic[])[]>;
  /** The project's other files. Without them, rules about the whole project find nothing. */
  readonly files?: (results: readonly CompileResult[]) => Promise<ProjectFiles>;
  /** The cache of earlier checks. Without it, everything is checked again. */
  readonly kept?: KeptChecks;
}

/** A template that was compiled and checked by itself. */
export interface CheckedResult extends HasSitedHtml {
  readonly result: CompileResult;
  /** All findings about this template alone. */
  readonly findings: readonly Diagnostic[];
}

/** Caches the results for unchanged templates. */
export interface KeptChecks {
  read(template: Template): CheckedResult | undefined;
  write(checked: CheckedResult): void;
}

/** A result for each template, in order, and all findings. */
export interface Checks {
  readonly results: readonly CompileResult[];
  /** The results with the source positions of their elements, which are read when needed. */
  readonly checked: readonly CheckedResult[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles the templates and reports everything that is wrong with them: the findings of compiling and of the rules,
 * whether a component renders the same as its body with other variables too, and whether compiling once more, now and
 * later, gives the same.
 *
 * @example
 * const { diagnostics } = await checkTemplates({
 *   templates,
 *   compile: (all) => compileWithPositions(all, context),
 *   rebuildWithPositions: (all, clock) => rebuildWithPositions(all, context, clock),
 *   recompile: (all, clock) => rebuildAll(all, context, clock),
 *   tryVariations: (all, together) => tryVariations(all, context, together),
 * });
 * if (hasErrors(diagnostics)) process.exitCode = 1;
 *
 * @throws Whatever the functions throw.
 */
export async function checkTemplates(options: CheckOptions): Promise<Checks> {
  const { templates, kept, files } = options;
  const known = new Map<Template, CheckedResult>();
  for (const template of templates) {
    const found = kept?.read(template);
    if (found) known.set(template, found);
  }
  const others = templates.filter((template) => !known.has(template));
  for (const checked of await checkAnew(others, options)) {
    known.set(checked.result.template, checked);
    if (!checked.findings.some(({ rule }) => rule === "rule-failed")) kept?.write(checked);
  }
  const all = templates.flatMap((template) => known.get(template) ?? []);
  const results = all.map(({ result }) => result);
  const together = await checkAllTogether(results, { ...options, sited: all, files: await files?.(results) });
  return { results, checked: all, diagnostics: [...all.flatMap(({ findings }) => findings), ...together] };
}

async function checkAnew(templates: readonly Template[], options: CheckOptions): Promise<CheckedResult[]> {
  if (templates.length === 0) return [];
  const ahead = buildAhead(templates, options.rebuildWithPositions);
  const results = await options.compile(templates);
  const trying = options.tryVariations(results, templates);
  const rebuilding = ahead
    ? checkRebuilds(results, { ...options, rebuildWithPositions: ahead })
    : // Uses one worker at a time.
      trying.then(() => checkRebuilds(results, options));
  const [varied, [rebuilt, ruled]] = await Promise.all([
    trying,
    rebuilding.then(async (sited) => [sited, await checkEach(results, { ...options, sited })] as const),
  ]);
  return results.map((result, index) => ({
    result,
    sited: rebuilt[index]?.sited,
    findings: [
      ...result.diagnostics,
      ...(varied[index] ?? []),
      ...(rebuilt[index]?.findings ?? []),
      ...(ruled[index] ?? []),
    ],
  }));
}
