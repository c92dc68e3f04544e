import { existsSync } from "node:fs";
import path from "node:path";
import type { ProjectLocation } from "../project/find-project.js";
import { ConfigurationError } from "../errors.js";
import type { BaseTree } from "./base-tree.js";
import { type OpenProject, withProject } from "./project.js";

/**
 * Opens the project at the tree's commit.
 *
 * @throws {ConfigurationError} The commit has no such project, or its configuration cannot be read.
 */
export async function withBaseProject<Result>(
  { repository, folder }: BaseTree,
  { folder: projectFolder, configFile }: ProjectLocation,
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const cwd = path.join(folder, path.relative(repository, projectFolder));
  if (!existsSync(cwd)) throw noProject();
  // A default name is looked for, because its extension may have been different then.
  const isNamed = configFile !== undefined && !path.basename(configFile).startsWith("lettershop.config.");
  const config = isNamed ? path.join(folder, path.relative(repository, configFile)) : undefined;
  return withProject({ cwd, config }, (open) => {
    // The search also looks in parent folders, and the tree may be inside the current project.
    if (path.relative(folder, open.project.folder).startsWith("..")) throw noProject();
    return use(open);
  });
}

function noProject(): ConfigurationError {
  return new ConfigurationError("This project does not exist at the commit.");
}
