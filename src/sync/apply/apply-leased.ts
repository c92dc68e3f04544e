import { LettershopError } from "../../errors.js";
import { isCreate, takesLease } from "../plan/list-reads.js";
import { operationsOf, targetName } from "../plan/plan.js";
import { isSameMarker, type RemoteState } from "../remote.js";
import { applyPlan, type ApplyOptions, type ApplyResult } from "./apply-plan.js";
import { type LeaseOptions, takeLease } from "./lease.js";
import type { Run } from "./run.js";

/** Another run has changed the environment since the plan was made. */
export class PlanStaleError extends LettershopError {
  override readonly name = "PlanStaleError";
  readonly code = "plan_stale";

  /** @param isToRetry Whether the run waits for others: then it plans again. */
  constructor(readonly isToRetry: boolean) {
    super("Another sync has changed this environment since the plan was made, and nothing was applied.", {
      hint: "If you still want to deploy this version, plan and apply it again.",
    });
  }
}

export interface LeasedOptions
  extends
    Omit<ApplyOptions, "onLeases" | "reached" | "run">,
    Pick<LeaseOptions, "planned" | "scope" | "commitTime" | "isWaiting" | "reached"> {
  readonly run: Run;
  /** The marker's text of the project's templates; undefined if markers are off. */
  readonly markerText: string | undefined;
}

export interface LeasedResult extends ApplyResult {
  /** Why a run on another machine could have written at the same time. */
  readonly unleased?: string;
}

/**
 * Applies a plan while no other machine applies one to the same environment. A plan with a single operation takes no
 * lease, since it cannot be half done.
 *
 * @throws LeaseHeldError if another machine is syncing; PlanStaleError if one has since the plan was made; the errors
 * of `applyPlan`. Nothing was applied then.
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
  // The signal has aborted, so nothing starts.
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

/** Whether another run wrote since the plan was made. A manual edit leaves the marker unchanged. */
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
