import { completeVariables } from "../../mustache/complete.js";
import { evaluator } from "../../mustache/expression/evaluate.js";
import { packagesIn } from "../../mustache/expression/packages.js";
import type { PassedVariables, Variables, VariablesContract } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { ModuleHost, Task } from "../../process/host.js";
import type { completeInWorker } from "./complete-task.js";
import { functionsCode, neededImports } from "./package-functions.js";
import type { DeriveContext } from "../../project/registry-types.js";
import type { Template } from "../../project/template.js";

export interface CompletionContext extends DeriveContext {
  readonly host: Pick<ModuleHost, "run">;
}

const COMPLETE: Task<typeof completeInWorker> = {
  module: new URL("./complete-task.js", import.meta.url),
  name: "completeInWorker",
};

/**
 * Completes a template's variables. If they are computed with functions of packages, in the worker, where the project's code
 * may run.
 *
 * @throws {ModuleError} Such a function can't be loaded.
 */
export async function completeAll(
  { body: { file } }: Pick<Template, "body">,
  contract: VariablesContract,
  passed: readonly PassedVariables[],
  { host, locale, timeZone }: CompletionContext,
): Promise<readonly Variables[]> {
  const context = { locale, timeZone };
  if (packagesIn(contract.conditions).length === 0)
    return passed.map(({ input, derived }) => completeVariables(contract, input, derived, { evaluator, ...context }));
  const bundle = await functionsBundle(file, contract);
  return host.run(COMPLETE, { bundle, contract, passed, context });
}

export async function completeOne(
  template: Pick<Template, "body">,
  contract: VariablesContract,
  passed: PassedVariables,
  context: CompletionContext,
): Promise<Variables> {
  const [completed = {}] = await completeAll(template, contract, [passed], context);
  return completed;
}

/** The functions as a module of their own. */
async function functionsBundle(file: string, { conditions }: VariablesContract): Promise<Bundle> {
  const code = await functionsCode(await neededImports(file, conditions));
  return { file, code: `export const make = ${code};`, map: NO_MAP, sources: [] };
}

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
