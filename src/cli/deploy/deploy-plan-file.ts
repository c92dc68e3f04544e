import { ConfigurationError } from "../../errors.js";
import { type PlanFile, readRemote } from "../../sync/index.js";
import type { ExitCode } from "../command.js";
import { printPlan } from "../report/plan/index.js";
import type { DeployTarget } from "./deploy-target.js";
import { applyPlanned, type DeployOptions, withRun } from "./deploy.js";
import { markerText } from "../../project/marker-text.js";
import { documentOf, lockOf, targetKey } from "./plan-deployment.js";

/** Applies a saved plan. Templates that have changed since are left alone. No template code runs. */
export async function deployPlanFile(
  { environment, made, plan }: PlanFile,
  deployTarget: DeployTarget,
  options: Pick<DeployOptions, "summary" | "yes" | "wait" | "again">,
): Promise<ExitCode> {
  const { project, target, observer, output, signal } = deployTarget;
  const here = targetKey(target);
  if (environment !== here)
    throw new ConfigurationError(`The plan was made for ${environment}, and the environment is ${here}.`, {
      hint: "Use --env to select the environment that the plan was made for.",
    });
  return withRun(deployTarget, options, async (run) => {
    const remote = await readRemote({
      client: target.client,
      domain: target.environment.domain,
      reached: () => observer.reached(),
      wanted: () => [],
      signal,
    });
    const lock = lockOf(deployTarget);
    const knowledge = {
      remote,
      entries: lock.entries,
      written: new Map(),
      markerText: markerText(project, target.environment),
    };
    const document = documentOf(deployTarget, plan);
    printPlan(document, output);
    const commit = made.commit === undefined ? "" : ` from commit ${made.commit.id}`;
    output.note(`The plan was made at ${made.at} by lettershop ${made.lettershop}${commit}.`);
    return applyPlanned(
      deployTarget,
      { plan, lock, commit: made.commit, input: { ...knowledge, local: [] } },
      document,
      run,
      options,
    );
  });
}
