import type { Diagnostic } from "../../diagnostic.js";
import { operationsOf, type Plan, type PlanInput, targetName } from "../../sync/index.js";
import type { CommandInput, ExitCode, Flags } from "../command.js";
import { type DeployTarget, withDeployTarget } from "./deploy-target.js";
import { type LocalSide, localSide } from "./local-side.js";
import { cautious, planDeployment } from "./plan-deployment.js";

/** The project's templates compared with an environment's. */
export interface Comparison {
  readonly deployTarget: DeployTarget;
  readonly plan: Plan;
  readonly input: PlanInput;
  /** The requested local templates. */
  readonly side: LocalSide;
  /** From compiling. A template with errors is not in the plan. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Makes the plan that sync would make, without applying it. */
export function compare(
  { names, flags, output, signal, withKeylessProject }: Omit<CommandInput<Flags>, "wait">,
  use: (comparison: Comparison) => Promise<ExitCode>,
): Promise<ExitCode> {
  return withKeylessProject(flags, signal, ({ project, compile }) =>
    withDeployTarget({ project, output, signal }, flags.env, async (deployTarget) => {
      const { environment } = deployTarget.target;
      const compiling = compile(names, environment.assets);
      const local = compiling.then(({ templates, present }) => localSide(templates, present, environment, project));
      const deployment = { ...deployTarget, local, isPartial: names.length > 0, choices: cautious(project) };
      const { plan, input } = await planDeployment(deployment);
      const { diagnostics } = await compiling;
      return use({ deployTarget, plan, input, side: await local, diagnostics });
    }),
  );
}

const heldStates = {
  drifted: "edited on the service",
  conflict: "changed on both sides",
  unknown: "different, with no record of applying it",
  foreign: "managed elsewhere",
  breaking: "to update, but breaking",
  reused: "to update, but breaking",
  sourceDrifted: "edited in the source environment",
} as const;

/** Each template's state and its changed fields, by name. */
export function statesOf(plan: Plan, broken: readonly string[]): Map<string, readonly [string, readonly string[]]> {
  const states = new Map<string, readonly [string, readonly string[]]>();
  const set = (names: readonly string[], state: string) => {
    for (const name of names) states.set(name, [state, []]);
  };
  set(plan.unmanaged, "only on the service");
  set(plan.retired, "retired: --prune deletes it");
  set(plan.unchanged, "unchanged");
  set(broken, "does not compile");
  for (const operation of operationsOf(plan)) {
    const fields = "changes" in operation ? operation.changes.map(({ field }) => field) : [];
    if (operation.kind === "rename") states.set(operation.name, [`to rename: ${operation.to}`, fields]);
    else if (operation.kind === "update")
      states.set(operation.name, [fields.length === 0 ? "to mark" : "to update", fields]);
    else states.set(targetName(operation), [`to ${operation.kind}`, []]);
  }
  for (const { kind, name, changes, breaking = [] } of plan.held)
    states.set(name, [
      heldStates[kind],
      breaking.length > 0 ? breaking.map(({ variable }) => variable) : changes.map(({ field }) => field),
    ]);
  return states;
}
