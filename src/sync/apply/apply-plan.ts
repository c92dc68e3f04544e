import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import type { Client } from "../../api/client.js";
import { pacedOptions, type PatienceOptions } from "../patience.js";
import { isCreate, looksBack, takesLease, writesPerLookOf } from "../plan/requests.js";
import { PlanError } from "../plan/obstacles.js";
import { type Operation, operationsOf, type Plan, targetName } from "../plan/plan.js";
import {
  isSameMarker,
  showsAlteredContent,
  provesStoring,
  type RemoteState,
  type RemoteTemplate,
  remoteTemplate,
} from "../remote.js";
import { CarryOut } from "./carry-out.js";
import type { ApplyContext } from "./request.js";
import { writeCallOptions, type Outcome } from "./outcome.js";
import { lookBack } from "./look-back.js";
import { Outage } from "./outage.js";
import type { Run } from "./run.js";
import { RemoteView, type ViewOptions } from "./view.js";
import { asError, LettershopError } from "../../errors.js";
import { type LeaseOptions, takeLease } from "./lease.js";

/** Maximum concurrent operations of one step: enough to hide the service's latency. */
const AT_ONCE = 6;

/** What was seen of a template when the plan was made. */
export interface Seen {
  readonly updatedAt: string;
  /** Set if it was read. */
  readonly template?: StoredTemplate;
  /** When it was requested, in milliseconds of `performance.now()`. */
  readonly at: number;
  /** A time that the service's clock had certainly reached then. */
  readonly serviceTime?: Date;
}

export interface ApplyOptions extends PatienceOptions {
  readonly plan: Pick<Plan, "steps" | "obstacles">;
  readonly client: { readonly templates: Client["templates"] };
  readonly domain: string;
  /** What the plan was made from, by name. */
  readonly known: ReadonlyMap<string, Seen>;
  readonly run: Pick<Run, "begin" | "end" | "save">;
  /** Called with the leases in each list that is read. */
  readonly onLeases?: ViewOptions["onLeases"];
  /** A time that the service's clock has certainly reached, in Unix seconds. */
  readonly reached?: () => number | undefined;
  /** Monotonic milliseconds, on the same clock as `known`. Default: `performance.now()`. */
  readonly now?: () => number;
}

export interface ApplyResult {
  /** One for each operation, in the plan's order. */
  readonly outcomes: readonly Outcome[];
  /** Why the rest was not attempted, unless the signal aborted. */
  readonly stopped?: Error;
  /** Why the final check for overwrites by others was not possible. */
  readonly unseen?: Error;
}

/**
 * Applies a plan: step by step, with the operations of a step running concurrently.
 *
 * Before a template is overwritten or deleted, it is checked that the service still has what the plan was made from: at
 * most two seconds before and, in plans with up to six such operations, directly before the write. In larger plans, one
 * read of the list serves several operations, at most sixteen. The previous content is saved in the run's folder first;
 * templates that have changed are left alone. A write whose answer was lost is looked up before it is repeated, and
 * answers are compared with what was sent. After the last of several writes, everything is checked once more. A failed
 * operation does not stop the others, unless it shows that they would fail too, as three service failures in a row do.
 * When the signal aborts, requests in progress finish, and no others start.
 *
 * @example
 * const { outcomes, stopped } = await applyPlan({ plan, client, domain: "example.com", known: remote, run, signal });
 *
 * @throws PlanError before the first write, if the plan has obstacles.
 */
export async function applyPlan(options: ApplyOptions): Promise<ApplyResult> {
  const { plan, onEvent, signal } = options;
  if (plan.obstacles.length > 0) throw new PlanError(plan.obstacles);
  const stop = new AbortController();
  let stopped: Error | undefined;
  const anyStop = AbortSignal.any(signal === undefined ? [stop.signal] : [signal, stop.signal]);
  // Every write that waits for its turn listens to it, so many listeners are not a leak.
  setMaxListeners(0, anyStop);
  const context = contextOf(options, anyStop, (error) => {
    stopped ??= error;
    stop.abort(error);
  });

  const operations = operationsOf(plan);
  const outcomes = new Map<Operation, Outcome>();
  const carryOut = async (operation: Operation) => {
    const progress = { operation, total: operations.length };
    if (context.signal.aborted) return undefined;
    onEvent?.({ kind: "started", done: outcomes.size, ...progress });
    const ending = await new CarryOut(operation, operations.indexOf(operation), context).run();
    if (ending.result === "notAttempted") return undefined;
    outcomes.set(operation, { operation, ...ending });
    const done = outcomes.size;
    if (ending.result === "moved") return onEvent?.({ kind: "moved", done, ...progress });
    if (ending.result === "applied")
      return onEvent?.({ kind: "applied", ...(ending.unwritten && { unwritten: true }), done, ...progress });
    const { error, result } = ending;
    const effect = result === "failed" && ending.stored === undefined ? "none" : "unknown";
    return onEvent?.({ kind: "failed", error, effect, done, ...progress });
  };
  // An error that would affect all operations shows with the first.
  const [first] = operations;
  if (first !== undefined) await carryOut(first);
  const sideBySide = async (some: readonly Operation[], atOnce: number) => {
    const queue = some.filter((operation) => operation !== first).values();
    const work = async () => {
      for (const operation of queue) await carryOut(operation);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
  };
  for (const step of plan.steps) {
    await sideBySide(step.filter(isCreate), AT_ONCE);
    const others = step.filter((operation) => !isCreate(operation));
    const atOnce = Math.min(AT_ONCE, writesPerLookOf(operations));
    // Each endpoint has its own rate limit: an update that waits for its window must not delay deletes.
    if (atOnce === AT_ONCE) await Promise.all(byKind(others).map((some) => sideBySide(some, atOnce)));
    else await sideBySide(others, atOnce);
  }
  const read = readTemplates(options.known);
  const isProven = provesStoring(read);
  let unseen: Error | undefined;
  if (looksBack(operations, isProven) && !context.signal.aborted) {
    try {
      const endings = await lookBack([...outcomes.values()], context, {
        isProven,
        isAltering: showsAlteredContent(read),
      });
      for (const [operation, ending] of endings) {
        outcomes.set(operation, { operation, ...ending });
        if (ending.result !== "failed" || ending.stored === undefined) continue;
        await options.run.end({ end: operations.indexOf(operation), effect: "partial", stored: ending.stored });
      }
    } catch (error) {
      unseen = asError(error);
    }
  }
  const notAttempted = { result: "notAttempted" } as const;
  return {
    outcomes: operations.map((operation) => outcomes.get(operation) ?? { operation, ...notAttempted }),
    ...(stopped === undefined ? {} : { stopped }),
    ...(unseen === undefined ? {} : { unseen }),
  };
}

function contextOf(options: ApplyOptions, signal: AbortSignal, halt: ApplyContext["halt"]): ApplyContext {
  const { plan, client, domain, known, run, onEvent, onLeases, wait } = options;
  const { reached = () => undefined, now = () => performance.now() } = options;
  const patience = { signal, hasAnswered: true, ...(onEvent && { onEvent }), ...(wait && { wait }) };
  const writesPerLook = writesPerLookOf(operationsOf(plan));
  const view = new RemoteView(readTemplates(known), {
    client,
    domain,
    reached,
    now,
    writesPerLook,
    ...(onLeases && { onLeases }),
    ...patience,
  });
  let slowestWrite = 0;
  return {
    ...patience,
    view,
    run,
    halt,
    outage: new Outage(halt),
    pause: wait ?? sleep,
    slowestWrite: () => slowestWrite,
    async send(request, mayLeave) {
      const seen = reached();
      const askedAt = now();
      let leftAt = askedAt;
      const leave = () => {
        leftAt = now();
        view.countWrite();
      };
      const paced = { ...writeCallOptions(signal, mayLeave, leave), ...pacedOptions(patience) };
      const answer = await request(client.templates, domain, paced);
      slowestWrite = Math.max(slowestWrite, now() - leftAt);
      return answer && remoteTemplate(answer, { askedAt, seen });
    },
  };
}

function readTemplates(known: ApplyOptions["known"]): RemoteTemplate[] {
  return [...known.values()].flatMap(({ template, at, serviceTime }) => {
    const seen = serviceTime === undefined ? undefined : Math.floor(serviceTime.getTime() / 1000);
    return template === undefined ? [] : [remoteTemplate(template, { askedAt: at, seen })];
  });
}

function byKind(operations: readonly Operation[]): Operation[][] {
  const kinds = [...new Set(operations.map(({ kind }) => kind))];
  return kinds.map((kind) => operations.filter((operation) => operation.kind === kind));
}

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

interface LeasedOptions
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
