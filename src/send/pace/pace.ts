import { randomUUID } from "node:crypto";
import type { RateLimit } from "../../api/calls/rate-limit.js";
import type { Clock } from "../clock.js";
import type { Publish } from "../events/events.js";
import { PlanLimits } from "./plan-limits.js";
import type { PlanSource } from "./plan-source.js";
import type { Priority } from "./priority.js";
import { Queue } from "./queue.js";
import type { PaceAccount, PaceStore, SlotEnd } from "./store.js";

export interface PaceOptions {
  /** By `accountOf`. */
  readonly account: string;
  readonly store: PaceStore;
  /** Requests that may reach the service in any window. */
  readonly sendsPerMinute: number;
  /** Default 60,000. */
  readonly windowMs?: number;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Without it, the plan's limits are not looked at. */
  readonly plan?: PlanSource;
}

export interface AcquireOptions {
  readonly priority: Priority;
  /** The longest wait for a slot, in milliseconds; Infinity for none. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** The longest time from the request's start until it is answered or given up. */
  readonly requestMs: number;
  /** For a further try of a request that has had its turn: goes before those of its priority. */
  readonly first?: boolean;
  /** How many mails the plan counts: one for each recipient. Default 1. */
  readonly mails?: number;
}

/** The right to make one request, soon. The first of the calls that end it counts; they never reject. */
export interface Slot {
  /**
   * Whether it is too old for a request that begins now: the process was stopped, or the machine slept. Then it has to be
   * given back, and another acquired.
   */
  readonly lapsed: boolean;
  /** The request has been answered, with whatever: the slot is free again one window from now. */
  answered(answer?: { readonly status?: number; readonly rateLimit?: RateLimit }): Promise<void>;
  /** No answer came, and the request may have arrived or still be on its way. */
  lost(): Promise<void>;
  /** The request surely never reached the service: the slot is free at once. */
  unused(): Promise<void>;
}

/**
 * Keeps requests under the service's limit, exactly and together with all who share its store: a slot is free again one
 * window after its request's *answer*, so that however long a request takes, no window of the service's ever sees more than
 * the limit. First come, first served, within a priority.
 *
 * @example
 * const pace = createPace({ account: accountOf({ url, apiKey }), store: processPace(clock), sendsPerMinute: 10, clock, publish });
 * const slot = await pace.acquire({ priority: "normal", maxWaitMs: 10_000, signal, requestMs: 30_000 });
 * await slot.answered(await request());
 */
export interface Pace {
  /**
   * @throws {RateLimitedError} No slot will be free in time, or the plan's limit is reached; at once, as far as it is known.
   * @throws The signal's reason, when it is aborted.
   */
  acquire(options: AcquireOptions): Promise<Slot>;
  /** Lets nothing through for so many milliseconds: the service said 429. Who cannot wait that long fails now. */
  hold(forMs: number): Promise<void>;
  /** Milliseconds until one who came now would have its turn, as far as it can be known. */
  expectedWait(priority: Priority): Promise<number>;
  /** Resolves when all that was to be written is. Whoever waits has to have been aborted. */
  close(): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Parts of the window: within how much a request has to begin, and how long after its time it may still arrive. */
const BEGIN_SHARE = 1 / 12;
const LATE_SHARE = 1 / 12;

export function createPace(options: PaceOptions): Pace {
  const { account: name, store, sendsPerMinute: limit, windowMs = WINDOW_MS, clock, publish, plan } = options;
  const account: PaceAccount = { account: name, limit, windowMs };
  const limits = plan && new PlanLimits({ source: plan, store, account, clock, publish });
  const queue = new Queue({ account, owner: randomUUID(), store, clock });
  const writing = new Set<Promise<void>>();

  /** What cannot be written leaves a slot taken until its time is over, and a count too low: both do no harm. */
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
