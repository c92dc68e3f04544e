import { completeVariables } from "../mustache/complete.js";
import { evaluator } from "../mustache/expression/evaluate.js";
import { packagesIn } from "../mustache/expression/packages.js";
import type { Variables, VariablesContract } from "../mustache/variables.js";
import type { Bundle } from "../process/bundle.js";
import type { ModuleHost, Task } from "../process/host.js";
import type { completeInWorker } from "./complete-task.js";
import { functionsCode, neededImports } from "./package-functions.js";
import type { DeriveContext } from "./registry-types.js";
import type { Template } from "./template.js";

/** What an application passes, after the schema's check, and what `derive` adds. */
export interface PassedVariables {
  readonly input: Variables;
  readonly derived?: Variables | undefined;
}

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

/** The newest last. */
const bundles = new Map<string, Promise<Bundle>>();
const MOST_BUNDLES = 64;

/** The functions as a module of their own. Templates often need the same. */
async function functionsBundle(file: string, { conditions }: VariablesContract): Promise<Bundle> {
  const needed = await neededImports(file, conditions);
  const key = JSON.stringify([needed.type, ...needed.imports.values()]);
  const bundle = bundles.get(key) ?? bundled(file, functionsCode(needed));
  bundles.set(key, bundle);
  // A package that can't be bundled may be replaced.
  bundle.catch(() => bundles.delete(key));
  const [oldest = key] = bundles.keys();
  if (bundles.size > MOST_BUNDLES) bundles.delete(oldest);
  return bundle;
}

async function bundled(file: string, written: Promise<string>): Promise<Bundle> {
  return { file, code: `export const make = ${await written};`, map: NO_MAP, sources: [] };
}

const NO_MAP = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
