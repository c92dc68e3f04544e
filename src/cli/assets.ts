import type { AssetsConfig } from "../config/define.js";
import type { Project } from "../config/load.js";
import { nearest } from "../nearest.js";
import { UsageError } from "./arguments.js";

/** Where an environment's images are; asking needs no key. */
export function assetsOf(project: Project, name: string): AssetsConfig | undefined {
  const environment = project.environments[name];
  if (environment === undefined && name !== "local") {
    const near = nearest(name, Object.keys(project.environments));
    throw new UsageError(
      `The configuration has no environment "${name}".`,
      near === undefined ? {} : { hint: `Did you mean ${near}?` },
    );
  }
  return environment?.assets ?? project.assets;
}

/** Images are checked at the addresses that they will have: the named environment's, else those of the first that says where they are. */
export function assetsToCheck(project: Project, environment: string | undefined): AssetsConfig | undefined {
  if (environment !== undefined) return assetsOf(project, environment);
  return project.assets ?? Object.values(project.environments).find(({ assets }) => assets !== undefined)?.assets;
}
