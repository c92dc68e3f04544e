import type { Diagnostic } from "../diagnostic.js";
import type { CompileContext } from "../render/engine.js";
import { quoteSource } from "../project/computed-source.js";
import type { CompileResult, Template, CompiledTemplate } from "../project/template.js";
import { checkedTemplate, cachedFileReader, type HasPositionedHtml } from "./checked-template.js";
import {
  DEFAULT_SETTINGS,
  type ProjectFiles,
  type CheckedProject,
  type Finding,
  type Rule,
  type CheckSettings,
} from "./rule.js";
import { setImmediate as turn } from "node:timers/promises";
import { RULES } from "./catalogue.js";

export interface CheckOptions extends Pick<RuleOptions, "rules" | "settings"> {
  readonly templates: readonly Template[];
  /** How they are compiled. */
  readonly context: CompileContext;
  /** The project's other files. Without them, rules about the whole project find nothing. */
  readonly files?: (results: readonly CompileResult[]) => Promise<ProjectFiles>;
  /** The cache of earlier checks. Without it, everything is checked again. */
  readonly kept?: KeptChecks;
}

/** A template that was compiled and checked by itself. */
export interface CheckedResult extends HasPositionedHtml {
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
 * const { diagnostics } = await checkTemplates({ templates, context });
 * if (hasErrors(diagnostics)) process.exitCode = 1;
 *
 * @throws {MissingPeerError} The compiler of one of the templates is not installed.
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
  const { context } = options;
  // Loaded here, because configurations import this module to define rules.
  const [{ compileWithPositions }, { tryVariations }, { buildAhead, checkRebuilds, positionedBuild }] =
    await Promise.all([import("../render/compile.js"), import("../render/rebuild.js"), import("./check-rebuilds.js")]);
  const build = positionedBuild(context);
  const ahead = buildAhead(templates, build);
  // Not from the cache: a result of another day can't show whether builds of today are the same.
  const results = await compileWithPositions(templates, context);
  const trying = tryVariations(results, context, templates);
  const rebuilding = ahead
    ? checkRebuilds(results, context, ahead)
    : // Uses one worker at a time.
      trying.then(() => checkRebuilds(results, context, build));
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

/** Options for running rules. */
export interface RuleOptions {
  /** Default: all of them. */
  readonly rules?: readonly Rule[];
  readonly settings?: CheckSettings;
  /** The sited html of each result, in the same order. Read when a rule needs it. */
  readonly sited?: readonly HasPositionedHtml[];
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
async function checkEach(
  results: readonly CompileResult[],
  { rules = RULES, settings = DEFAULT_SETTINGS, sited = [] }: Omit<RuleOptions, "files">,
): Promise<Diagnostic[][]> {
  const found: Diagnostic[][] = [];
  const reading = { settings, read: cachedFileReader() };
  for (const [index, result] of results.entries()) {
    const own: Diagnostic[] = [];
    if (hasCompiled(result)) {
      const checked = checkedTemplate(result, sited[index], reading);
      for (const rule of rules) {
        const diagnostics = await run(rule, checked.template, () => rule.checkTemplate?.(checked));
        own.push(...diagnostics.map((diagnostic) => quoteSource(diagnostic, checked.compiled.computed)));
      }
    }
    found.push(own);
    // Lets messages from workers be handled in between.
    await turn();
  }
  return found;
}

/** Runs the rules that check all templates together. */
async function checkAllTogether(
  results: readonly CompileResult[],
  { rules = RULES, settings = DEFAULT_SETTINGS, sited = [], files }: RuleOptions,
): Promise<Diagnostic[]> {
  const reading = { settings, read: cachedFileReader() };
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
    return deduplicate(Array.from((await check()) ?? [], (finding) => ({ rule: id, severity, ...named, ...finding })));
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

/**
 * Drops findings that repeat the same message for the same place: compilers copy one URL, style or tag of the source
 * into several places of the html.
 */
export function deduplicate<Each extends Finding & { readonly rule?: string }>(findings: readonly Each[]): Each[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, severity, message, template, at }) => {
    const key = JSON.stringify([rule, severity, message, template, at?.file, at?.line, at?.column]);
    return seen.size < seen.add(key).size;
  });
}
