import path from "node:path";
import type { AssetsConfig } from "../project/config.js";
import { hideFromSystem, projectVariables, secretNames, templateVariables } from "../project/own-environment.js";
import { findProject, packageFile, type ProjectLocation } from "../project/find-project.js";
import type { Project } from "../project/load-project.js";
import { createModuleHost, type ModuleHost } from "../process/host.js";
import { explainUnset } from "../process/unset-variables.js";
import type { CompileContext } from "../render/engine.js";
import { type Cache, openCache } from "../cache/cache.js";
import { attempt } from "../files.js";
import { VERSION } from "../version.js";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import type { Inputs } from "../cache/inputs.js";
import { ConfigurationError } from "../errors.js";
import type { DefaultValue } from "../process/read-default.js";

/** A command's project, with the worker that runs its modules. */
export interface OpenProject {
  readonly project: Project;
  readonly host: ModuleHost;
}

export interface ProjectFlags {
  readonly cwd: string | undefined;
  readonly config: string | undefined;
}

/**
 * Finds and reads the project, and passes it to `use`. Keys are hidden before any project code runs: the configuration can't read
 * variables that are named like keys, and modules that load later can't read those that it declares as keys either. Commands
 * that use a key run project code in another process instead (`withKeylessProject`).
 */
export async function withProject<Result>(
  flags: ProjectFlags,
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  hideFromSystem(secretNames({}));
  const location = await findProject({ cwd: workingFolder(flags), configFile: flags.config });
  const open = await openProjectAt(location);
  try {
    return await use(open);
  } finally {
    await open.host.close();
  }
}

/** Reads a project's configuration, and hides the keys that it declares. */
export async function openProjectAt(location: ProjectLocation): Promise<OpenProject & ReadProject> {
  const host = projectHost({ ...location, environments: {} });
  try {
    const read = await readProject(location, host);
    const secret = secretNames(read.project.environments);
    hideFromSystem(secret);
    if (secret.length === secretNames({}).length && read.project.envFile === undefined) return { ...read, host };
    await host.close();
    return { ...read, host: projectHost(read.project) };
  } catch (error) {
    await host.close();
    throw error;
  }
}

/** A worker for a project's modules that can't read keys. */
export function projectHost(project: Pick<Project, "dataFolder" | "environments" | "envFile">): ModuleHost {
  return createModuleHost({ cacheFolder: path.join(project.dataFolder, "modules"), env: templateVariables(project) });
}

/** The folder that `--cwd` names, or the current one. */
export function workingFolder(flags: Pick<ProjectFlags, "cwd">): string {
  return path.resolve(flags.cwd ?? ".");
}

/** @param assets The environment's assets; without them, image URLs stay relative to the files that `build` copies. */
export function compileContext(
  { project, host }: OpenProject,
  assets: AssetsConfig | undefined = project.assets,
): CompileContext {
  return {
    host,
    cache: projectCache(project, templateVariables(project)),
    folder: project.folder,
    locale: project.locale,
    timeZone: project.timeZone,
    ...(assets === undefined ? {} : { assets }),
  };
}

/** A project's configuration and the files that it depends on. */
interface ReadProject {
  readonly project: Project;
  /** Absolute paths; some files may not exist. */
  readonly files: readonly string[];
}

/**
 * Reads the project's configuration, from the cache if nothing that it depends on has changed.
 *
 * @param host Runs the configuration if it is more than plain data. Afterwards it is reset, so that it can run the project's
 *   other modules.
 */
async function readProject(location: ProjectLocation, host: ModuleHost): Promise<ReadProject> {
  hideFromGit(location.dataFolder);
  const variables = projectVariables({});
  const cache = projectCache(location, variables);
  const key = { name: `configuration\n${location.configFile ?? location.folder}`, key: location };
  const known = cache.read(key);
  if (known && isProject(known.value)) return { project: known.value, files: known.inputs.files };

  const { prepareReading, readDefault } = await import("../process/read-default.js");
  let read: Pick<DefaultValue, "sources" | "environment"> = { sources: [], environment: [] };
  if (isModule(location)) void prepareReading(host);
  const { loadProject } = await import("../project/load-project.js");
  const project = await loadProject(location, async (file) => {
    const { readPlainDefault } = await import("../process/read-default.js");
    const plain = await readPlainDefault(file, { name: "defineConfig", from: "lettershop/config" });
    if (plain) return plain.value;
    const { value, ...others } = await readDefault(host, file).catch(explain);
    read = others;
    await host.rest();
    return value;
  }).catch((error: unknown) => {
    throw withUnsetVariables(
      error,
      read.environment.filter((name) => variables[name] === undefined),
    );
  });
  const inputs = await inputsOf(location, read);
  cache.write(key, inputs, project);
  return { project, files: inputs.files };
}

function isModule({ configFile }: ProjectLocation): boolean {
  return configFile !== undefined && path.extname(configFile) !== ".json";
}

/** A configuration must be plain data, and a rule must be made with `defineRule`: explain the clone error. */
function explain(error: unknown): never {
  if (!(error instanceof Error) || !/could not be cloned/.test(error.message)) throw error;
  throw new ConfigurationError(error.message, {
    cause: error,
    hint: 'A configuration can\'t contain functions. Define rules with defineRule from "lettershop/check".',
  });
}

/** A missing value may come from an environment variable that is set but hidden from project code. */
function withUnsetVariables(error: unknown, names: readonly string[]): unknown {
  if (!(error instanceof ConfigurationError) || error.hint !== undefined || names.length === 0) return error;
  return new ConfigurationError(error.message, {
    cause: error,
    hint: explainUnset(names),
  });
}

async function inputsOf(
  location: ProjectLocation,
  { sources, environment }: Pick<DefaultValue, "sources" | "environment">,
): Promise<Inputs> {
  const { moduleInputs } = await import("../process/module-inputs.js");
  const { folder, configFile } = location;
  const { files, stems, trees } = moduleInputs(sources);
  return {
    files: [...new Set([...(configFile === undefined ? [] : [configFile]), ...files, packageFile(location)])],
    stems,
    trees,
    environment,
    // The registry's default folder.
    places: [path.join(folder, "src")],
  };
}

/** A shallow check is enough: the cache only returns what this version wrote. */
function isProject(value: unknown): value is Project {
  return typeof value === "object" && value !== null && "roots" in value && "environments" in value;
}

/** Makes git ignore the project's data folder, including the `.gitignore` file itself. */
export function hideFromGit(dataFolder: string): void {
  const file = path.join(dataFolder, ".gitignore");
  if (existsSync(file)) return;
  attempt(() => {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, "*\n");
  });
}

/** Opens the project's cache for modules that can read these environment variables. */
export function projectCache(
  { dataFolder }: ProjectLocation,
  environment: Readonly<Record<string, string | undefined>>,
): Cache {
  return openCache({ folder: path.join(dataFolder, "cache"), environment, version: buildVersion() });
}

/** Identifies this build of lettershop. In a checkout, many builds have the same version, but not the same build info. */
function buildVersion(): string {
  const built = statSync(new URL("../build.tsbuildinfo", import.meta.url), { throwIfNoEntry: false });
  return [VERSION, process.version, built?.mtimeMs].join(" ");
}
