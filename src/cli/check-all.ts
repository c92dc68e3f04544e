import type { AssetsConfig } from "../project/config.js";
import { checkProject } from "./check-project.js";
import { type CompiledProject, selectTemplates } from "./compile-project.js";
import type { OpenProject } from "./project.js";

/** Compiles all of the project's templates, or only those named, and runs the project's rules. */
export async function checkAll(
  open: OpenProject,
  names: readonly string[],
  assets: AssetsConfig | undefined,
): Promise<CompiledProject> {
  const { check, configFile } = open.project;
  // The plan counts the templates per environment.
  const config = { ...check, rules: { ...check.rules, "template-count": "off" as const } };
  const loaded = selectTemplates(open, names);
  const isPartial = names.length > 0;
  const options = { loaded, config, configFile, only: undefined, isPartial, network: false, assets };
  return { ...(await checkProject(open, options)), present: loaded.names };
}
