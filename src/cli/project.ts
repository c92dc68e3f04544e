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
 * sees nothing that is named like one, and what loads after it nothing that it names as one either. A command that uses a
 * key runs them in another process (`withProjectApart`).
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

/** Reads the configuration of a project that was found, and takes the keys that it names out of reach, too. */
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

/** A worker for a project's modules, which sees no key. */
export function projectHost(project: Pick<Project, "dataFolder" | "environments" | "envFile">): ModuleHost {
  return createModuleHost({ cacheFolder: path.join(project.dataFolder, "modules"), env: templateVariables(project) });
}

/** The folder that `--cwd` names, or the current one. */
export function workingFolder(flags: Pick<ProjectFlags, "cwd">): string {
  return path.resolve(flags.cwd ?? ".");
}

/** `baseUrl` is the environment's address of images; without it they stay relative, as `build` copies them. */
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
