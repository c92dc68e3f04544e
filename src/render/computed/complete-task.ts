import { completeVariables } from "../../mustache/complete.js";
import { computingOf } from "../../mustache/expression/computing.js";
import type { MakeFunctions } from "../../mustache/expression/package-functions.js";
import type { PassedVariables, Variables, VariablesContract } from "../../mustache/variables.js";
import type { Bundle } from "../../process/bundle.js";
import type { TaskContext } from "../../process/host.js";
import type { DeriveContext } from "../../project/registry-types.js";

export interface CompleteInput {
  /** Exports `make`: `MakeFunctions`. */
  readonly bundle: Bundle;
  readonly contract: VariablesContract;
  readonly passed: readonly PassedVariables[];
  readonly context: DeriveContext;
}

/** Completes variables in a worker, because code of packages may only run there. */
export async function completeInWorker(
  { bundle, contract, passed, context }: CompleteInput,
  { load }: Pick<TaskContext, "load">,
): Promise<Variables[]> {
  const { make } = await load(bundle);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `functionsCode`
  const computing = computingOf({ contract, functions: make as MakeFunctions }, context);
  return passed.map(({ input, derived }) => completeVariables(contract, input, derived, computing));
}
