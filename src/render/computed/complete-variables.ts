import { evaluator } from "../../mustache/expression/evaluate.js";
import { ExpressionError } from "../../mustache/expression/expression-error.js";
import { packagesIn } from "../../mustache/expression/packages.js";
import type { PassedVariables, Variables, VariablesContract } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { ModuleHost, Task } from "../../process/host.js";
import { type Completed, type completeInWorker, completeWith } from "./complete-task.js";
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
 * @throws {ExpressionError} Computing a value takes too much.
 */
export async function completeAll(
  template: Pick<Template, "body">,
  contract: VariablesContract,
  passed: readonly PassedVariables[],
  context: CompletionContext,
): Promise<readonly Variables[]> {
  const completed = await completeEach(template, contract, passed, context);
  return completed.map((each) => {
    if ("exceeded" in each) throw new ExpressionError("limit", each.exceeded);
    return each.variables;
  });
}

/** The same, with the errors of those that take too much. */
export async function completeEach(
  { body: { file } }: Pick<Template, "body">,
  contract: VariablesContract,
  passed: readonly PassedVariables[],
  { host, locale, timeZone }: CompletionContext,
): Promise<readonly Completed[]> {
  const context = { locale, timeZone };
  if (packagesIn(contract.conditions).length === 0)
    return completeWith({ contract, passed }, { evaluator, ...context });
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
