import type { AssetsConfig } from "../project/config.js";
import type { Project } from "../project/load-project.js";
import { didYouMean, UsageError } from "./arguments.js";

/** Where an environment's images are hosted. Needs no key. */
export function assetsOf(project: Project, name: string): AssetsConfig | undefined {
  const environment = project.environments[name];
  if (environment === undefined && name !== "local")
    throw new UsageError(`The configuration has no environment "${name}".`, {
      hint: didYouMean(name, Object.keys(project.environments)),
    });
  return environment?.assets ?? project.assets;
}

/**
 * Where images will be hosted, for checks: by the named environment, else by the project, else by the first environment with
 * assets.
 */
export function assetsToCheck(project: Project, environment: string | undefined): AssetsConfig | undefined {
  if (environment !== undefined) return assetsOf(project, environment);
  return project.assets ?? Object.values(project.environments).find(({ assets }) => assets !== undefined)?.assets;
}
