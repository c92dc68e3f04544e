import type { Diagnostic } from "../../diagnostic.js";
import type { Plan, PlanInput } from "../../sync/index.js";
import type { withKeylessProject } from "../keyless/keyless-project.js";
import type { ExitCode } from "../command.js";
import type { Output } from "../output.js";
import type { ProjectFlags } from "../project.js";
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

export interface CompareInput {
  readonly names: readonly string[];
  readonly flags: ProjectFlags & { readonly env: string | undefined };
  readonly output: Output;
  readonly signal: AbortSignal;
  readonly withKeylessProject: typeof withKeylessProject;
}

/** Makes the plan that sync would make, without applying it. */
export function compare(
  { names, flags, output, signal, withKeylessProject }: CompareInput,
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
