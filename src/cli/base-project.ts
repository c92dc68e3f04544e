import path from "node:path";
import type { BaseTree } from "./base-tree.js";
import { type OpenProject, withProject } from "./project.js";

/** Opens the project as it was at the tree's commit. */
export function withBaseProject<Result>(
  { repository, folder }: BaseTree,
  { folder: projectFolder, configFile }: OpenProject["project"],
  use: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const cwd = path.join(folder, path.relative(repository, projectFolder));
  // By its own name it is found, whichever it had then.
  const isNamed = configFile !== undefined && !path.basename(configFile).startsWith("lettershop.config.");
  const config = isNamed ? path.join(folder, path.relative(repository, configFile)) : undefined;
  return withProject({ cwd, config }, use);
}
