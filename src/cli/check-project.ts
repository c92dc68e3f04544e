import type { AssetsConfig } from "../config/define.js";
import type { Project } from "../config/load.js";
import { longestMarker } from "../config/marker-text.js";
import { loadCustomRules } from "../check/custom/custom-rules.js";
import { type CheckedResult, checkTemplates, type Rule, RULES } from "../check/index.js";
import { networkRules } from "../check/network/rules.js";
import { settle } from "../check/settling/settle.js";
import { isOffEverywhere, unusedOverrides, withEachId } from "../check/settling/severities.js";
import type { Diagnostic } from "../diagnostic.js";
import { compilePlaced } from "../render/compile-placed.js";
import { compileSited } from "../render/compile-sited.js";
import { recompile } from "../render/recompile.js";
import { tryVariations } from "../render/try-variations.js";
import type { LoadedTemplates } from "../template/load.js";
import { readSource } from "../template/source.js";
import type { CompileResult } from "../template/template.js";
import { keptChecks } from "./kept-checks.js";
import { compileContext, type OpenProject } from "./project.js";
import { readProjectFiles } from "./project-files.js";

export interface CheckProjectOptions {
  readonly loaded: LoadedTemplates;
  /** Of the project that is checked now, also where an earlier state of it is looked at. */
  readonly config: Project["check"];
  /** What has the rules of `config.custom`. */
  readonly configFile: string | undefined;
  /** The ids of all rules. */
  readonly known: readonly string[];
  /** The only rules to run. */
  readonly only: ReadonlySet<string> | undefined;
  readonly isPartial: boolean;
  readonly network: boolean;
  /** Where images will be. */
  readonly assets: AssetsConfig | undefined;
}

export interface CheckedProjectState {
  readonly diagnostics: readonly Diagnostic[];
  readonly results: readonly CompileResult[];
  readonly checked: readonly CheckedResult[];
}

/** Compiles a project's templates and runs all rules over them; comments and the configuration have had their say. */
export async function checkProject(open: OpenProject, options: CheckProjectOptions): Promise<CheckedProjectState> {
  const { loaded, configFile, known, only, isPartial, network, assets } = options;
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
  const kept = keptChecks(context, { rules, settings });
  const {
    results,
    checked,
    diagnostics: found,
  } = await checkTemplates({
    templates: loaded.templates,
    compile: (all) => compilePlaced(all, context),
    compileSited: (all, clock) => compileSited(all, context, clock),
    recompile: (all, clock) => recompile(all, context, clock),
    tryVariations: (all, together) => tryVariations(all, context, together),
    rules,
    settings,
    ...(kept && { kept }),
    ...(!isPartial && { files: (all) => readProjectFiles(open, all, assets) }),
  });
  const aboutConfig = isPartial ? [] : unusedOverrides(config, loaded.names, configFile);
  const all = [...loaded.diagnostics, ...found, ...custom.failed, ...aboutConfig];
  const failures = all.filter(({ rule }) => rule === "rule-failed");
  const diagnostics = settle(all, {
    results,
    loading: [...loaded.diagnostics, ...failures],
    config,
    known,
    read: reader(loaded),
    isPartial,
    notRun: notRun(all, options),
    ...(only && { only }),
  });
  return { diagnostics, results, checked };
}

/** Rules that asked for more than there was: the network, or all templates. */
function notRun(found: readonly Diagnostic[], { network, isPartial }: CheckProjectOptions): Set<string> {
  const isOffline = !network || found.some(({ rule }) => rule === "network-unavailable");
  const idle = [
    ...(isOffline ? networkRules() : []),
    ...(isPartial ? RULES.filter(({ checkTemplate }) => !checkTemplate) : []),
  ];
  return new Set(idle.map(({ id }) => id));
}

/** Gives texts of sources: those of the templates were read already. */
function reader({ templates }: LoadedTemplates): (file: string) => string | undefined {
  const known = new Map<string, string>();
  for (const { body, text } of templates)
    for (const each of text ? [body, text] : [body]) known.set(each.file, each.text);
  return (file) => known.get(file) ?? readIfText(file);
}

function readIfText(file: string): string | undefined {
  try {
    return readSource(file).text;
  } catch {
    return undefined;
  }
}
