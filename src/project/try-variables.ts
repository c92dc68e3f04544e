import { bundleModule } from "../process/bundle.js";
import type { ModuleHost } from "../process/host.js";
import { ModuleError } from "../process/module-error.js";
import type { Variables } from "../mustache/variables.js";
import type { DeriveContext } from "./registry-types.js";
import type { Template } from "./template.js";
import { READ_VARIABLES } from "./variables-module.js";
import { asIssue, trialOf, type VariablesTrial } from "./variables-trial.js";

/**
 * Applies a template's schema and `derive` to variables that are not in a file.
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
    const [fixture] = reading.fixtures;
    return trialOf(variables, { ...reading, ...(fixture && { fixture }) });
  } catch (error) {
    if (!(error instanceof ModuleError)) throw error;
    return { issues: [asIssue(error)] };
  }
}
