import { setMaxListeners } from "node:events";
import { TIMER_MAX } from "../../api/calls/clock.js";
import type { Clock } from "../clock.js";
import { RateLimitedError } from "../errors.js";
import type { Priority } from "../parcel.js";
import type { PaceAccount, PaceStore } from "../store/pace.js";
import { randomUUID } from "node:crypto";

interface WaitOptions {
  readonly priority: Priority;
  readonly first: boolean;
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** How long its slot stays taken if the end of the request is never reported. */
  readonly holdMs: number;
}

interface Granted {
  readonly slot: string;
  /** By `clock.now()`. */
  readonly askedAt: number;
}

/** A call that waits for a slot, until it is served or fails. */
class Waiter {
  readonly id = randomUUID();
  readonly deadline: number;
  readonly granted: Promise<Granted>;
  waits = true;
  /** The place in the store's order, once known. */
  place: number | undefined;
  #resolve!: (granted: Granted) => void;
  #reject!: (error: unknown) => void;
  readonly #ended: (() => void)[] = [];

  constructor(
    readonly options: WaitOptions,
    now: number,
  ) {
    this.deadline = now + options.maxWaitMs;
    this.granted = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Adds callbacks for when it no longer waits. */
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
export class Queue {
  readonly #waiting: Readonly<Record<Priority, Waiter[]>> = { high: [], normal: [] };
  /** Steps run one after the other, so that tickets are entered in the order of the calls. They never reject. */
  #steps: Promise<unknown> = Promise.resolve();
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
    const waiter = new Waiter(options, this.clock.now());
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
