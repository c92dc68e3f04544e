import type { AssetsConfig } from "../../project/config.js";
import { compileProject } from "../compile-project.js";
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
  const { results, diagnostics, present } = check
    ? await (await import("../check-all.js")).checkAll(open, names, assets)
    : await compileProject(open, names, assets);
  const templates = results.flatMap(({ compiled, template }) => {
    const { renamedFrom } = template.metadata;
    return compiled === undefined ? [] : [{ ...compiled, ...(renamedFrom !== undefined && { renamedFrom }) }];
  });
  return { templates, diagnostics, present };
}
