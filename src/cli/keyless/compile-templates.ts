import type { AssetsConfig } from "../../project/config.js";
import { type CompiledProject, compileProject, keylessTemplate, selectTemplates } from "../compile-project.js";
import type { OpenProject } from "../project.js";
import type { KeylessTemplates } from "./compiled.js";

/**
 * Compiles an open project's templates for a command that holds a key.
 *
 * @param check Whether to also run the rules of `templates check`.
 */
export async function compileTemplates(
  open: OpenProject,
  names: readonly string[],
  assets: AssetsConfig | undefined,
  check: boolean,
): Promise<KeylessTemplates> {
  const { results, diagnostics, present } = await (check ? checkAll : compileProject)(open, names, assets);
  return { templates: results.flatMap((result) => keylessTemplate(result) ?? []), diagnostics, present };
}

async function checkAll(
  open: OpenProject,
  names: readonly string[],
  assets: AssetsConfig | undefined,
): Promise<CompiledProject> {
  const { check, configFile } = open.project;
  // The plan counts the templates per environment.
  const config = { ...check, rules: { ...check.rules, "template-count": "off" as const } };
  const loaded = selectTemplates(open, names);
  const { checkProject } = await import("../check-project.js");
  const checked = await checkProject(open, { loaded, config, configFile, isPartial: names.length > 0, assets });
  return { ...checked, present: loaded.names };
}
