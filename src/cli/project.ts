import path from "node:path";
import type { AssetsConfig } from "../config/define.js";
import { templateVariables } from "../config/project-variables.js";
import { secretNames } from "../config/secrets.js";
import { findProject, type ProjectLocation } from "../config/find.js";
import type { Project } from "../config/load.js";
import { createModuleHost, type ModuleHost } from "../modules/host.js";
import type { CompileContext } from "../render/engine.js";
import { hideFromSystem } from "../config/own-environment.js";
import { projectCache } from "./caches.js";
import { type ReadProject, readProject } from "./read-project.js";

/** A command's project, with the worker that runs its modules. */
export interface OpenProject {
  readonly project: Project;
  readonly host: ModuleHost;
}

/** The flags that locate the project. */
export interface ProjectFlags {
  readonly cwd: string | undefined;
  readonly config: string | undefined;
}

/**
 * Finds and reads the project, and passes it to `use`. Keys are hidden before any project code runs: the configuration can't read
 * variables that are named like keys, and modules that load later can't read those that it declares as keys either. Commands
 * that use a key run project code in another process instead (`withProjectApart`).
 */
export async function withProject<Result>(
  flags: ProjectFlags,
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  hideFromSystem(secretNames({}));
  const location = await findProject({
    cwd: workingFolder(flags),
    ...(flags.config === undefined ? {} : { configFile: flags.config }),
  });
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
