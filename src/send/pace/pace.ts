import { createHash, randomUUID } from "node:crypto";
import type { RateLimit } from "../../api/calls/rate-limit.js";
import type { Clock } from "../clock.js";
import type { Publish } from "../events.js";
import { PlanLimits, type PlanSource } from "./plan-limits.js";
import type { Priority } from "../parcel.js";
import { Queue } from "./queue.js";
import type { PaceAccount, PaceStore, SlotEnd } from "../store/pace.js";

export interface PaceOptions {
  /** From `accountOf`. */
  readonly account: string;
  readonly store: PaceStore;
  /** Maximum requests that may reach the service in any window. */
  readonly sendsPerMinute: number;
  /** Default 60,000. */
  readonly windowMs?: number;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Without it, the plan's limits are ignored. */
  readonly plan?: PlanSource;
}

export interface AcquireOptions {
  readonly priority: Priority;
  /** Maximum wait for a slot in ms; Infinity for no limit. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** Maximum time from the start of the request until it is answered or given up. */
  readonly requestMs: number;
  /** For another try of a request that already had its turn: goes before others of its priority. */
  readonly first?: boolean;
  /** Number of emails as the plan counts them: one for each recipient. Default 1. */
  readonly mails?: number;
}

/** The right to make one request soon. The first of the calls that end it counts; they never reject. */
export interface Slot {
  /**
   * Whether it is too old for a request that begins now, because the process was suspended or the machine slept. Then
   * it must be returned, and another acquired.
   */
  readonly lapsed: boolean;
  /** The request was answered, in any way: the slot is free again one window from now. */
  answered(answer?: { readonly status?: number; readonly rateLimit?: RateLimit }): Promise<void>;
  /** There was no answer, and the request may have arrived or may still arrive. */
  lost(): Promise<void>;
  /** The request definitely never reached the service: the slot is free at once. */
  unused(): Promise<void>;
}

/**
 * Keeps requests under the service's limit, exactly, and together with everything that shares its store. A slot is free
 * again one window after its request's *answer*: however long a request takes, no window of the service sees more than
 * the limit. First come, first served, within a priority.
 *
 * @example
 * const pace = createPace({ account: accountOf({ url, apiKey }), store: processPace(clock), sendsPerMinute: 10, clock, publish });
 * const slot = await pace.acquire({ priority: "normal", maxWaitMs: 10_000, signal, requestMs: 30_000 });
 * await slot.answered(await request());
 */
export interface Pace {
  /**
   * @throws {RateLimitedError} No slot will be free in time, or the plan's limit is reached. Thrown immediately if
   * already known.
   * @throws The signal's reason, when it is aborted.
   */
  acquire(options: AcquireOptions): Promise<Slot>;
  /**
   * Blocks all requests for this many milliseconds, because the service answered 429. Calls that cannot wait that long
   * fail now.
   */
  hold(forMs: number): Promise<void>;
  /** Milliseconds until a new request would have its turn, as far as is known. */
  expectedWait(priority: Priority): Promise<number>;
  /** Resolves when all pending writes are done. All waiting calls must have been aborted before. */
  close(): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Fractions of the window: how soon a request must begin, and how long after its time it may still arrive. */
const BEGIN_SHARE = 1 / 12;
const LATE_SHARE = 1 / 12;

export function createPace(options: PaceOptions): Pace {
  const { account: name, store, sendsPerMinute: limit, windowMs = WINDOW_MS, clock, publish, plan } = options;
  const account: PaceAccount = { account: name, limit, windowMs };
  const limits = plan && new PlanLimits(plan, store, account, clock, publish);
  const queue = new Queue(account, randomUUID(), store, clock);
  const writing = new Set<Promise<void>>();

  /** A failed write leaves a slot taken until its time is over, or a count too low. Both are harmless. */
  function write(change: Promise<unknown>): Promise<void> {
    const end = () => void writing.delete(done);
    const done = change.then(end, end);
    writing.add(done);
    return done;
  }

  async function settle(id: string, how: SlotEnd, mails: number): Promise<void> {
    const foreign = await store.settle(account, id, how);
    if (foreign > 0) publish({ type: "foreign-use", requests: foreign, untilMs: windowMs });
    if (how.how === "unused") queue.look();
    else if (mayHaveSent(how)) await limits?.sent(mails);
  }

  return {
    async acquire({ priority, maxWaitMs, signal, requestMs, first = false, mails = 1 }) {
      signal.throwIfAborted();
      if (limits?.hasRoom(mails) === false) await limits.check(mails);
      const holdMs = requestMs + windowMs * (1 + BEGIN_SHARE + LATE_SHARE);
      const { slot, askedAt } = await queue.wait({ priority, first, maxWaitMs, signal, holdMs });
      const hasLapsed = () => clock.now() - askedAt > windowMs * BEGIN_SHARE;
      return new TakenSlot(hasLapsed, (how) => write(settle(slot, how, mails)));
    },
    async hold(forMs) {
      publish({ type: "held", forMs });
      await store.hold(account, forMs);
      queue.look();
    },
    expectedWait: async (priority) => (await store.state(account)).expectedInMs[priority],
    async close() {
      await limits?.close();
      await Promise.all(writing);
      await queue.close();
    },
  };
}

class TakenSlot implements Slot {
  #ended: Promise<void> | undefined;

  constructor(
    private readonly hasLapsed: () => boolean,
    private readonly settle: (how: SlotEnd) => Promise<void>,
  ) {}

  get lapsed(): boolean {
    return this.hasLapsed();
  }

  answered({ status, rateLimit }: Parameters<Slot["answered"]>[0] = {}): Promise<void> {
    return this.#end({ how: "answered", ...(status !== undefined && { status }), ...(rateLimit && { rateLimit }) });
  }

  lost(): Promise<void> {
    return this.#end({ how: "lost" });
  }

  unused(): Promise<void> {
    return this.#end({ how: "unused" });
  }

  #end(how: SlotEnd): Promise<void> {
    return (this.#ended ??= this.settle(how));
  }
}

function mayHaveSent(end: SlotEnd): boolean {
  return end.how === "lost" || (end.how === "answered" && (end.status ?? 200) < 400);
}

/** The identifier of an account in stores: a hash of the service's origin and the key. */
export function accountOf({ url, apiKey }: { readonly url: string; readonly apiKey: string }): string {
  return createHash("sha256")
    .update(JSON.stringify([new URL(url).origin, apiKey]))
    .digest("base64url");
}
