import { LettershopError } from "../../errors.js";
import { isCreate, takesLease } from "../plan/looks.js";
import { operationsOf, targetName } from "../plan/plan.js";
import { isSameMarker, type RemoteState } from "../remote.js";
import { applyPlan, type ApplyOptions, type ApplyResult } from "./apply-plan.js";
import { type LeaseOptions, takeLease } from "./lease.js";
import type { Run } from "./run.js";

/** Another run has changed the environment after the plan was made. */
export class PlanStaleError extends LettershopError {
  override readonly name = "PlanStaleError";
  readonly code = "plan_stale";

  /** @param isToRetry Whether the run waited for the other, or was to: then it plans again. */
  constructor(readonly isToRetry: boolean) {
    super("Another sync has changed this environment since the plan was made, and nothing was applied.", {
      hint: "If this is the version that you want to deploy, plan and apply it again.",
    });
  }
}

export interface LeasedOptions
  extends
    Omit<ApplyOptions, "onLeases" | "reached" | "run">,
    Pick<LeaseOptions, "planned" | "scope" | "commitTime" | "isWaiting" | "reached"> {
  readonly run: Run;
  /** Of the project's templates; undefined where they have none. */
  readonly markerText: string | undefined;
}

export interface LeasedResult extends ApplyResult {
  /** Why a run on another machine could have written at the same time. */
  readonly unleased?: string;
}

/**
 * Applies a plan while no other machine applies one to the same environment. A plan with a single operation takes no lease:
 * it leaves nothing half done.
 *
 * @throws LeaseHeldError where another machine is at work; PlanStaleError where one was since the plan was made; what
 * `applyPlan` throws. Nothing was applied then.
 */
export async function applyLeased(options: LeasedOptions): Promise<LeasedResult> {
  const { plan, signal } = options;
  const operations = operationsOf(plan);
  if (plan.obstacles.length > 0) return applyPlan(options);
  const leaseOptions: LeaseOptions = {
    ...options,
    creates: operations.filter(isCreate).length,
    isNeeded: takesLease(operations),
  };
  const taken = await takeLease(leaseOptions).catch((error: unknown) => {
    if (signal?.aborted) return undefined;
    throw error;
  });
  // Nothing begins then.
  if (taken === undefined) return applyPlan(options);
  const { lease, refusal, summaries, hasWaited } = taken;
  try {
    if (hasOtherRun(options, summaries)) throw new PlanStaleError(options.isWaiting || hasWaited);
    if (lease === undefined)
      return { ...(await applyPlan(options)), ...(refusal === undefined ? {} : { unleased: refusal }) };
    const signals = signal === undefined ? [lease.lost] : [signal, lease.lost];
    const result = await applyPlan({ ...options, signal: AbortSignal.any(signals), onLeases: lease.check });
    return lease.lost.aborted ? { ...result, stopped: lease.lost.reason } : result;
  } finally {
    await lease?.release();
  }
}

/** Whether another run wrote since the plan was made. What a person edits has the marker that it had. */
function hasOtherRun({ plan, planned, markerText }: LeasedOptions, summaries: RemoteState["summaries"]): boolean {
  const before = planned.summaries;
  if (summaries === before) return false;
  if (markerText === undefined) {
    const names = operationsOf(plan).flatMap((operation) => [operation.name, targetName(operation)]);
    return names.some((name) => before.get(name)?.updatedAt !== summaries.get(name)?.updatedAt);
  }
  const isOwn = (name: string, state: RemoteState["summaries"]) => state.get(name)?.marker?.text === markerText;
  return [...new Set([...before.keys(), ...summaries.keys()])].some(
    (name) =>
      (isOwn(name, before) || isOwn(name, summaries)) &&
      !isSameMarker(before.get(name) ?? {}, summaries.get(name) ?? {}),
  );
}
