import { existsSync } from "node:fs";
import path from "node:path";
import type { ProjectLocation } from "../config/find.js";
import { ConfigurationError } from "../errors.js";
import type { BaseTree } from "./base-tree.js";
import { type OpenProject, withProject } from "./project.js";

/**
 * Opens the project as it was at the tree's commit.
 *
 * @throws {ConfigurationError} There was none, or its configuration cannot be read.
 */
export async function withBaseProject<Result>(
  { repository, folder }: BaseTree,
  { folder: projectFolder, configFile }: ProjectLocation,
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const cwd = path.join(folder, path.relative(repository, projectFolder));
  if (!existsSync(cwd)) throw noProject();
  // By its own name it is found, whichever it had then.
  const isNamed = configFile !== undefined && !path.basename(configFile).startsWith("lettershop.config.");
  const config = isNamed ? path.join(folder, path.relative(repository, configFile)) : undefined;
  return withProject({ cwd, config }, (open) => {
    // It is looked for in the folders around it, too, and the tree may be within today's.
    if (path.relative(folder, open.project.folder).startsWith("..")) throw noProject();
    return use(open);
  });
}

function noProject(): ConfigurationError {
  return new ConfigurationError("The commit does not have this project.");
}
