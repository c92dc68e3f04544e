import path from "node:path";
import type { AssetsConfig } from "../config/define.js";
import { withoutSecrets } from "../config/secrets.js";
import { findProject, type ProjectLocation } from "../config/find.js";
import type { Project } from "../config/load.js";
import type { Diagnostic } from "../diagnostic.js";
import { createModuleHost, type ModuleHost } from "../modules/host.js";
import { nearest } from "../nearest.js";
import type { CompileContext } from "../render/engine.js";
import { type LoadedTemplates, loadTemplates } from "../template/load.js";
import type { CompileResult } from "../template/template.js";
import { UsageError } from "./arguments.js";
import { projectCache } from "./caches.js";
import { readProject } from "./read-project.js";

/** The project that a command works on, with the worker that runs its modules. */
export interface OpenProject {
  readonly project: Project;
  readonly host: ModuleHost;
}

/** Where the project is looked for: the flags of every command. */
export interface ProjectFlags {
  readonly cwd: string | undefined;
  readonly config: string | undefined;
}

/**
 * Finds and reads the project, and lends it out. Keys are out of reach before any of its modules run: the configuration
 * sees nothing that is named like one, and what loads after it nothing that it names as one either.
 */
export async function withProject<Result>(
  flags: ProjectFlags,
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const location = await findProject({
    cwd: workingFolder(flags),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
  const project = await readProject(location, (read) => withHost(location, {}, read));
  return withHost(location, project.environments, (host) => use({ project, host }));
}

async function withHost<Result>(
  { dataFolder }: ProjectLocation,
  environments: Project["environments"],
  use: (host: ModuleHost) => Promise<Result>,
): Promise<Result> {
  const host = createModuleHost({ cacheFolder: path.join(dataFolder, "modules"), env: withoutSecrets(environments) });
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}

/** The folder that `--cwd` names, or the current one. */
export function workingFolder(flags: Pick<ProjectFlags, "cwd">): string {
  return path.resolve(flags.cwd ?? ".");
}

/** The project's templates, all or those named. A name that none has is a mistake of usage. */
export function selectTemplates({ project }: OpenProject, names: readonly string[]): LoadedTemplates {
  if (names.length === 0) return loadTemplates(project.roots);
  const loaded = loadTemplates(project.roots, names);
  for (const name of names) if (!loaded.names.has(name)) throw unknownTemplate(name, project);
  return {
    ...loaded,
    diagnostics: loaded.diagnostics.filter(({ template }) => template === undefined || names.includes(template)),
  };
}

function unknownTemplate(name: string, { roots, folder }: Project): UsageError {
  const { names } = loadTemplates(roots);
  const near = nearest(name, names);
  const places = roots.map((root) => path.relative(folder, root) || ".").join(", ");
  const all = [...names].toSorted().join(", ") || "none yet; run: templates init";
  return new UsageError(`There is no template "${name}" in ${places}.`, {
    hint: near === undefined ? `Templates: ${all}` : `Did you mean ${near}?`,
  });
}

/** `baseUrl` is the environment's address of images; without it they stay relative, as `build` copies them. */
export function compileContext(
  { project, host }: OpenProject,
  assets: AssetsConfig | undefined = project.assets,
): CompileContext {
  return {
    host,
    cache: projectCache(project, withoutSecrets(project.environments)),
    folder: project.folder,
    locale: project.locale,
    timeZone: project.timeZone,
    ...(assets === undefined ? {} : { assets }),
  };
}

export interface CompiledProject {
  readonly results: readonly CompileResult[];
  /** Of files that made no template, and of compiling. */
  readonly diagnostics: readonly Diagnostic[];
  /** Names of all that was asked for, with what could not be loaded. */
  readonly present: ReadonlySet<string>;
}

/** Loads and compiles the project's templates, all or those named. */
export async function compileProject(
  open: OpenProject,
  names: readonly string[],
  assets: AssetsConfig | undefined = open.project.assets,
): Promise<CompiledProject> {
  const loaded = selectTemplates(open, names);
  const { compileAll } = await import("../render/compile.js");
  const results = await compileAll(loaded.templates, compileContext(open, assets));
  return {
    results,
    present: loaded.names,
    diagnostics: [...loaded.diagnostics, ...results.flatMap((result) => result.diagnostics)],
  };
}
