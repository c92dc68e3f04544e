import type { Environment } from "../../project/environment.js";
import { createHash, randomUUID } from "node:crypto";
import type { RequestSlot, SlotAnswer } from "../../api/calls/policy.js";
import type { Clock } from "../clock.js";
import type { Publish } from "../events.js";
import { PlanLimits, type PlanSource } from "./plan-limits.js";
import type { Priority } from "../parcel.js";
import type { PaceAccount, PaceStore, SlotEnd } from "../store/pace.js";
import { setMaxListeners } from "node:events";
import { TIMER_MAX } from "../../api/calls/timing.js";
import { RateLimitedError } from "../errors.js";

export interface PaceOptions {
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
export interface Slot extends RequestSlot {
  /**
   * Whether it is too old for a request that begins now, because the process was suspended or the machine slept. Then
   * it must be returned, and another acquired.
   */
  readonly lapsed: boolean;
  /** The request was answered, in any way: the slot is free again one window from now. */
  answered(answer?: Partial<SlotAnswer>): Promise<void>;
  /** There was no answer, and the request may have arrived or may still arrive. */
  lost(): Promise<void>;
  /** The request definitely never reached the service: the slot is free at once. */
  unused(): Promise<void>;
}

/**
 * Keeps requests under the service's limit, exactly, and together with everything that shares its store. A slot is free
 * again one window after its request's *answer*: however long a request takes, no window of the service sees more than
 * the limit. First come, first served, within a priority.
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
      let ended: Promise<void> | undefined;
      const end = (how: SlotEnd) => (ended ??= write(settle(slot, how, mails)));
      return {
        get lapsed() {
          return clock.now() - askedAt > windowMs * BEGIN_SHARE;
        },
        answered: ({ status, rateLimit } = {}) => end({ how: "answered", status, rateLimit }),
        lost: () => end({ how: "lost" }),
        unused: () => end({ how: "unused" }),
      };
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

function mayHaveSent(end: SlotEnd): boolean {
  return end.how === "lost" || (end.how === "answered" && (end.status ?? 200) < 400);
}

/**
 * The identifier of an account in stores: a hash of the service's origin and the key, or of the SMTP server and the
 * user name.
 */
export function accountOf({ url, apiKey, smtp }: Pick<Environment, "url" | "apiKey" | "smtp">): string {
  const parts = smtp === undefined ? [new URL(url).origin, apiKey] : [smtp.url, smtp.user ?? ""];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

interface WaitOptions extends Required<Pick<AcquireOptions, "priority" | "first" | "maxWaitMs" | "signal">> {
  /** How long its slot stays taken if the end of the request is never reported. */
  readonly holdMs: number;
}

interface Granted {
  readonly slot: string;
  /** By `clock.now()`. */
  readonly askedAt: number;
}

class Waiter {
  readonly deadline: number;
  readonly granted: Promise<Granted>;
  waits = true;
  /** The place in the store's order, once known. */
  place: number | undefined;
  #resolve!: (granted: Granted) => void;
  #reject!: (error: unknown) => void;
  readonly #ended: (() => void)[] = [];

  constructor(
    readonly id: string,
    readonly options: WaitOptions,
    now: number,
  ) {
    this.deadline = now + options.maxWaitMs;
    this.granted = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  atEnd(...calls: (() => void)[]): void {
    this.#ended.push(...calls);
  }

  serve(granted: Granted): void {
    this.#end();
    this.#resolve(granted);
  }

  fail(error: unknown): void {
    this.#end();
    this.#reject(error);
  }

  #end(): void {
    this.waits = false;
    for (const call of this.#ended) call();
  }
}

/**
 * The calls of one mailer that wait for a slot. Each has a ticket in the store, which knows the order; only the first
 * of each priority polls, when the store says to.
 */
class Queue {
  readonly #waiting: Readonly<Record<Priority, Waiter[]>> = { high: [], normal: [] };
  /** Steps run one after the other, so that tickets are entered in the order of the calls. They never reject. */
  #steps: Promise<unknown> = Promise.resolve();
  #waiters = 0;
  #wake: { readonly at: number; readonly cancel: () => void } | undefined;

  constructor(
    private readonly account: PaceAccount,
    private readonly owner: string,
    private readonly store: PaceStore,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws {RateLimitedError} Its turn would not come in time. Thrown immediately if already known.
   * @throws The signal's reason, when it is aborted.
   */
  wait(options: WaitOptions): Promise<Granted> {
    const waiter = new Waiter(`${this.owner}/${(this.#waiters += 1)}`, options, this.clock.now());
    this.#enter(waiter);
    this.#then(async () => {
      await this.#ask(waiter);
      if (waiter.waits) this.#watch(waiter);
    });
    return waiter.granted;
  }

  /** Polls now, because something may have changed. */
  look(): void {
    this.#wakeIn(0);
  }

  async close(): Promise<void> {
    this.#cancelWake();
    await this.#steps;
  }

  #then(step: () => Promise<unknown>): void {
    this.#steps = this.#steps.then(step);
  }

  #enter(waiter: Waiter): void {
    const waiting = this.#waiting[waiter.options.priority];
    const before = waiter.options.first ? waiting.findIndex(({ options: { first } }) => !first) : -1;
    waiting.splice(before === -1 ? waiting.length : before, 0, waiter);
  }

  /** Ends the waiting when the signal is aborted or the time is over. */
  #watch(waiter: Waiter): void {
    const { clock } = this;
    const { signal } = waiter.options;
    const abort = () => this.#fail(waiter, signal.reason);
    // Any number of calls may wait for one signal; Node would warn above ten.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", abort, { once: true });
    waiter.atEnd(() => signal.removeEventListener("abort", abort));
    const left = waiter.deadline - clock.now();
    // A slot may become free at the very moment its time is over.
    if (left <= TIMER_MAX) waiter.atEnd(clock.after(left, () => this.#then(() => this.#askOnce(waiter))));
  }

  #wakeIn(milliseconds: number): void {
    if (this.#isEmpty) return;
    const { clock } = this;
    const at = clock.now() + milliseconds;
    if (this.#wake !== undefined && this.#wake.at <= at) return;
    this.#wake?.cancel();
    const cancel = clock.after(milliseconds, () => {
      this.#wake = undefined;
      this.#then(() => this.#askFirsts());
    });
    this.#wake = { at, cancel };
  }

  #cancelWake(): void {
    this.#wake?.cancel();
    this.#wake = undefined;
  }

  get #isEmpty(): boolean {
    return this.#waiting.high.length + this.#waiting.normal.length === 0;
  }

  /** Polls for the first of each priority, until neither gets a slot. */
  async #askFirsts(): Promise<void> {
    const { high, normal } = this.#waiting;
    while ((await this.#ask(high[0])) || (await this.#ask(normal[0])));
  }

  /** Whether the waiter got a slot. */
  async #ask(waiter: Waiter | undefined): Promise<boolean> {
    if (waiter?.waits !== true) return false;
    const { account, owner, store, clock } = this;
    const { priority, first, holdMs, signal } = waiter.options;
    const { id, place } = waiter;
    const askedAt = clock.now();
    try {
      signal.throwIfAborted();
      const ticket = { id, owner, priority, first, ...(place !== undefined && { place }) };
      const answer = await store.reserve(account, ticket, holdMs);
      if (answer.granted) {
        this.#remove(waiter);
        if (waiter.waits && !signal.aborted) waiter.serve({ slot: answer.slot, askedAt });
        else await this.#giveBack(waiter, answer.slot);
        return true;
      }
      waiter.place = answer.place;
      this.#wakeIn(answer.askInMs);
      this.#failLateWaiters(waiter, answer.expectedInMs);
    } catch (error) {
      this.#fail(waiter, error);
    }
    return false;
  }

  /** It was aborted while it polled. */
  async #giveBack(waiter: Waiter, slot: string): Promise<void> {
    const { account, store } = this;
    if (waiter.waits) waiter.fail(waiter.options.signal.reason);
    await store.settle(account, slot, { how: "unused" });
  }

  async #askOnce(waiter: Waiter): Promise<void> {
    await this.#ask(waiter);
    if (waiter.waits) this.#fail(waiter, new RateLimitedError(1));
  }

  /** Waiters behind the polled one don't have their turn before it. */
  #failLateWaiters(polled: Waiter, expectedInMs: number): void {
    const { clock } = this;
    const expectedAt = clock.now() + expectedInMs;
    const waiting = this.#waiting[polled.options.priority];
    for (const waiter of waiting.slice(Math.max(0, waiting.indexOf(polled)))) {
      if (waiter.deadline >= expectedAt) continue;
      const until = new Date(clock.time() + expectedInMs);
      this.#fail(waiter, new RateLimitedError(expectedInMs, { until }));
    }
  }

  #fail(waiter: Waiter, error: unknown): void {
    if (!waiter.waits) return;
    waiter.fail(error);
    this.#remove(waiter);
    const { account, store } = this;
    // If the store fails, the ticket is forgotten like that of a dead process.
    this.#then(() => store.leave(account, waiter.id).catch(() => undefined));
  }

  #remove(waiter: Waiter): void {
    const waiting = this.#waiting[waiter.options.priority];
    const position = waiting.indexOf(waiter);
    if (position !== -1) waiting.splice(position, 1);
    // A timer without waiters would keep the process alive.
    if (this.#isEmpty) this.#cancelWake();
  }
}
