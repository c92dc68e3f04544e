import { completeVariables, type Computing } from "../../mustache/complete.js";
import { computingOf } from "../../mustache/expression/computing.js";
import { ExpressionError } from "../../mustache/expression/expression-error.js";
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

/** Completed variables, or the message of the error that an expression ends with because it takes too much. */
export type Completed = { readonly variables: Variables } | { readonly exceeded: string };

export function completeWith(
  { contract, passed }: Pick<CompleteInput, "contract" | "passed">,
  computing: Computing,
): Completed[] {
  return passed.map(({ input, derived }) => {
    try {
      return { variables: completeVariables(contract, input, derived, computing) };
    } catch (error) {
      if (!(error instanceof ExpressionError) || error.code !== "limit") throw error;
      return { exceeded: error.message };
    }
  });
}

/** Completes variables in a worker, because code of packages may only run there. */
export async function completeInWorker(
  { bundle, contract, passed, context }: CompleteInput,
  { load }: Pick<TaskContext, "load">,
): Promise<Completed[]> {
  const { make } = await load(bundle);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `functionsCode`
  const computing = computingOf({ contract, functions: make as MakeFunctions }, context);
  return completeWith({ contract, passed }, computing);
}
