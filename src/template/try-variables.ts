import { bundleModule } from "../modules/bundle.js";
import type { ModuleHost } from "../modules/host.js";
import { ModuleError } from "../modules/module-error.js";
import type { Variables } from "../mustache/variables.js";
import { foreignNames } from "./foreign-names.js";
import type { Issue } from "./issue.js";
import type { DeriveContext } from "./registry.js";
import type { Template } from "./template.js";
import { READ_VARIABLES } from "./variables-module.js";
import type { ModuleProblem } from "./variables-task.js";

/** What a template's schema and `derive` make of variables: what fills the tags, or what is wrong with them. */
export type VariablesTrial =
  | { readonly parsed: Variables; readonly derived?: Variables; readonly issues: readonly [] }
  | { readonly parsed?: undefined; readonly derived?: undefined; readonly issues: readonly [Issue, ...Issue[]] };

/**
 * Tries variables that are in no file.
 *
 * @example
 * const { parsed, derived, issues } = await tryVariables(host, template, { order }, { locale: "de-CH", timeZone: "UTC" });
 *
 * @throws {MissingPeerError} rolldown is not installed.
 */
export async function tryVariables(
  host: ModuleHost,
  { variablesFile }: Template,
  variables: Variables,
  context: DeriveContext,
): Promise<VariablesTrial> {
  if (variablesFile === undefined) return { parsed: variables, issues: [] };
  try {
    const bundle = await bundleModule(variablesFile);
    const fixtures = [{ name: "", variables }];
    const { reading } = await host.run(READ_VARIABLES, { bundle, fixtures, context });
    const [read] = reading.fixtures;
    const foreign = foreignNames(variables, reading.schema).filter(({ severity }) => severity === "error");
    const failures = [reading.problem, read?.problem && withSource(read.problem)].flatMap((problem) => problem ?? []);
    const [issue, ...issues] = [...(read?.issues ?? []), ...foreign, ...failures.map(asIssue)];
    if (issue) return { issues: [issue, ...issues] };
    return { parsed: read?.parsed ?? variables, issues: [], ...(read?.derived && { derived: read.derived }) };
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    return { issues: [asIssue(error)] };
  }
}

/** What code threw says nothing of where it comes from; what is wrong with derive has a hint. */
function withSource({ message, hint }: ModuleProblem): ModuleProblem {
  return hint === undefined ? { message: `variables.ts threw: ${message}` } : { message, hint };
}

function asIssue({ message, hint }: Pick<ModuleError, "message" | "hint">): Issue {
  return { path: [], message: hint === undefined ? message : `${message} ${hint}` };
}
