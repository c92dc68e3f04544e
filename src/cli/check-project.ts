import path from "node:path";
import type { AssetsConfig } from "../project/config.js";
import type { Project } from "../project/load-project.js";
import { longestMarker } from "../text/marker.js";
import { catalogue } from "../check/catalogue.js";
import { loadCustomRules } from "../check/custom-rules.js";
import {
  checkTemplates,
  RULES,
  type CheckedResult,
  type CheckSettings,
  type KeptChecks,
  type Rule,
} from "../check/index.js";
import { settle } from "../check/settle.js";
import { formerRulesNamed, isOffEverywhere, unusedOverrides, withEachId } from "../check/severities.js";
import type { Diagnostic } from "../diagnostic.js";
import type { LoadedTemplates } from "../project/load-templates.js";
import { readSource } from "../project/source-file.js";
import type { CompileResult, Template } from "../project/template.js";
import { compileContext, type OpenProject } from "./project.js";
import { readdirSync } from "node:fs";
import { attempt } from "../files.js";
import type { ProjectFiles } from "../check/rule.js";
import { compileAll, cachedResult, cacheEntryOf } from "../render/compile.js";
import { registryFiles } from "./registry-files.js";
import type { CacheKey } from "../cache/cache.js";
import type { CompileContext } from "../render/engine.js";
import type { PositionedHtml } from "../render/source/mapped-text.js";

export interface CheckProjectOptions {
  readonly loaded: LoadedTemplates;
  /** The current project's configuration, even when checking an earlier commit. */
  readonly config: Project["check"];
  /** The file that defines the rules in `config.custom`. */
  readonly configFile: string | undefined;
  /** The only rules to run. Default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  readonly isPartial: boolean;
  /** Whether to request URLs. Default: false. */
  readonly network?: boolean;
  /** Where images will be hosted. */
  readonly assets: AssetsConfig | undefined;
}

export interface CheckedProjectState {
  readonly diagnostics: readonly Diagnostic[];
  readonly results: readonly CompileResult[];
  readonly checked: readonly CheckedResult[];
}

/** Compiles a project's templates and runs all rules; applies the configuration and the comments that silence rules. */
export async function checkProject(open: OpenProject, options: CheckProjectOptions): Promise<CheckedProjectState> {
  const { loaded, configFile, only, isPartial, network = false, assets } = options;
  const known = catalogue([...RULES, ...options.config.custom]).map(({ id }) => id);
  const config = withEachId(options.config, known, only);
  const { host } = open;
  const context = compileContext(open, assets);
  const custom = await loadCustomRules({ host, configFile: configFile ?? "", custom: config.custom });
  const isWanted = ({ id }: Rule): boolean => (only?.has(id) ?? true) && !isOffEverywhere(id, config);
  const rules = [...RULES, ...custom.rules].filter(isWanted);
  const settings = {
    clients: config.clients,
    rawVariables: config.rawVariables,
    network,
    markerLength: longestMarker(open.project),
  };
  const { results, checked, ...found } = await checkTemplates({
    templates: loaded.templates,
    context,
    rules,
    settings,
    kept: keptChecks(context, { rules, settings }),
    ...(!isPartial && { files: (all) => readProjectFiles(open, all, assets) }),
  });
  const aboutConfig = [
    ...formerRulesNamed(options.config, configFile),
    ...(isPartial ? [] : unusedOverrides(config, loaded.names, configFile)),
  ];
  const all = [...loaded.diagnostics, ...found.diagnostics, ...custom.failed, ...aboutConfig];
  const failures = all.filter(({ rule }) => rule === "rule-failed");
  const diagnostics = settle(all, {
    results,
    loading: [...loaded.diagnostics, ...failures],
    config,
    known,
    read: reader(loaded),
    isPartial,
    notRun: notRun(all, options),
    only,
  });
  return { diagnostics, results, checked };
}

/** Rules that could not run, because they need the network or all templates. */
function notRun(diagnostics: readonly Diagnostic[], { network, isPartial }: CheckProjectOptions): Set<string> {
  const isOffline = !network || diagnostics.some(({ rule }) => rule === "network-unavailable");
  const idle = RULES.filter(
    ({ checkTemplate, needsNetwork }) => (isOffline && needsNetwork) || (isPartial && !checkTemplate),
  );
  return new Set(idle.map(({ id }) => id));
}

/** Reads source files, reusing the templates' sources that are already loaded. */
function reader({ templates }: LoadedTemplates): (file: string) => string | undefined {
  const known = new Map<string, string>();
  for (const { body, text } of templates)
    for (const each of text ? [body, text] : [body]) known.set(each.file, each.text);
  return (file) => known.get(file) ?? attempt(() => readSource(file))?.text;
}

/**
 * Reads the project's files other than the templates themselves, for rules about the whole project.
 *
 * @param assets The assets that the results were compiled with.
 */
async function readProjectFiles(
  open: OpenProject,
  results: readonly CompileResult[],
  assets: AssetsConfig | undefined,
): Promise<ProjectFiles> {
  const { roots, registryFile } = open.project;
  const all = [...new Set(roots.flatMap(filesBelow))].toSorted();
  const registry = attempt(() => readSource(registryFile));
  return registry ? { all, registry, generated: await generate(open, results, assets) } : { all };
}

function filesBelow(root: string): string[] {
  // Loading has reported a folder that can't be read.
  const entries = attempt(() => readdirSync(root, { recursive: true, withFileTypes: true })) ?? [];
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** The registry that `templates types` would write, with the project's own assets; undefined if a template does not compile. */
async function generate(
  open: OpenProject,
  results: readonly CompileResult[],
  assets: AssetsConfig | undefined,
): Promise<string | undefined> {
  if (results.some(({ compiled }) => !compiled)) return undefined;
  const { project } = open;
  const isSame = assets?.baseUrl === project.assets?.baseUrl;
  const templates = results.map(({ template }) => template);
  const compiled = isSame ? results : await compileAll(templates, compileContext(open));
  return (await registryFiles({ results: compiled, present: new Set() }, project)).registry.text;
}

/**
 * Caches the checks of templates whose files and compiled result have not changed.
 *
 * @param context The compile context; without a cache, nothing is stored.
 * @param rules The rules that run. Results of other rules or settings are not reused.
 */
function keptChecks(
  context: CompileContext,
  { rules, settings }: { readonly rules: readonly Rule[]; readonly settings: CheckSettings },
): KeptChecks | undefined {
  const { cache } = context;
  if (!cache) return undefined;
  const { network: _, ...others } = settings;
  const ids = rules.map(({ id }) => id);

  /** Undefined if the compiled template is not in the cache, because its files may have changed in the meantime. */
  const keyOf = (what: string, { template, compiled }: CompileResult): CacheKey | undefined => {
    const identity = compiled && cacheEntryOf(compiled)?.identity;
    const name = [what, template.body.file, context.assets?.baseUrl ?? ""].join("\n");
    return identity === undefined ? undefined : { name, key: [identity, others, ids] };
  };
  const read = (key: CacheKey | undefined): unknown => key && cache.read(key)?.value;
  const write = (key: CacheKey | undefined, value: unknown): void => {
    if (key && value !== undefined) cache.write(key, { files: [] }, value);
  };

  return {
    read(template: Template) {
      const result = cachedResult(template, context);
      const findings = result && read(keyOf("checked", result));
      if (!result || !isFindings(findings)) return undefined;
      return {
        result,
        findings,
        get sited() {
          const sited = read(keyOf("sited", result));
          return isSitedHtml(sited) ? sited : undefined;
        },
      };
    },
    write({ result, findings, sited }) {
      write(keyOf("checked", result), findings);
      write(keyOf("sited", result), sited);
    },
  };
}

/** A shallow check is enough: the cache only returns what this version wrote. */
function isFindings(value: unknown): value is readonly Diagnostic[] {
  return Array.isArray(value);
}

function isSitedHtml(value: unknown): value is PositionedHtml {
  return typeof value === "object" && value !== null && "places" in value;
}
