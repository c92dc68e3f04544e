import {
  applyLeased,
  applyPlan,
  type LeasedResult,
  type Outcome,
  type Plan,
  type RemoteState,
  type Run,
  type Seen,
} from "../../sync/index.js";
import { type ExitCode, exitCode } from "../command.js";
import { planProgress } from "../report/plan/progress.js";
import type { DeployTarget } from "./deploy-target.js";

/** What a run needs to take the lease that keeps other machines out. */
export interface LeaseTerms {
  readonly markerText: string | undefined;
  readonly isWaiting: boolean;
  readonly commitTime: number | undefined;
}

/**
 * Applies a plan and shows progress.
 *
 * @param lease Undefined if no other machine can sync at the same time.
 */
export async function applyDeployment(
  { target, observer, output, signal }: DeployTarget,
  plan: Plan,
  remote: RemoteState,
  run: Run,
  lease?: LeaseTerms,
): Promise<LeasedResult> {
  const progress = planProgress(output, { plan, limit: (endpoint) => observer.limit(endpoint) });
  try {
    const { client, environment } = target;
    const options = {
      plan,
      client,
      domain: environment.domain,
      known: seenIn(remote),
      run,
      reached: () => observer.reached(),
      signal,
      onEvent: progress.onEvent,
    };
    if (lease === undefined) return await applyPlan(options);
    const { namePrefix, nameSuffix } = environment;
    const scope = lease.markerText ?? `${namePrefix}*${nameSuffix}`;
    return await applyLeased({ ...options, ...lease, scope, planned: remote });
  } finally {
    progress.done();
  }
}

function seenIn({ summaries, templates, askedAt }: RemoteState): Map<string, Seen> {
  return new Map(
    [...summaries].map(([name, { updatedAt }]) => {
      const read = templates.get(name);
      if (read === undefined) return [name, { updatedAt, at: askedAt }];
      const serviceTime = read.seen === undefined ? {} : { serviceTime: new Date(read.seen * 1000) };
      return [name, { updatedAt: read.updatedAt, template: read.stored, at: read.askedAt, ...serviceTime }];
    }),
  );
}

/** The exit code for a plan's result. @param left How many templates the plan held back. */
export function exitOf({ outcomes, unseen }: LeasedResult, left: number, signal: AbortSignal): ExitCode {
  const count = (...results: readonly Outcome["result"][]) =>
    outcomes.filter(({ result }) => results.includes(result)).length;
  if (signal.aborted && count("notAttempted") > 0) return exitCode.interrupted;
  const isPartial = outcomes.some((outcome) => outcome.result === "failed" && outcome.stored !== undefined);
  if (count("failed", "unknown", "notAttempted") > 0)
    return isPartial || count("applied", "overtaken", "unknown") > 0 ? exitCode.partial : exitCode.refused;
  const touched = outcomes.filter((outcome) => outcome.result === "applied" && outcome.touched.length > 0).length;
  const isLeft = left + count("moved", "overtaken") + touched > 0;
  return isLeft || unseen !== undefined ? exitCode.findings : exitCode.done;
}
