import type { Clock } from "../clock.js";
import { RateLimitedError } from "../errors.js";

/** The right to make one request. */
export interface Slot {
  /** The request has been answered, or given up: the slot is free again one window from now. */
  answered(): void;
  /** The request surely never reached the service: the slot is free at once. */
  unused(): void;
}

export interface LimiterOptions {
  /** Requests that may reach the service in any window. */
  readonly limit: number;
  readonly windowMs: number;
  readonly clock: Clock;
}

export interface AcquireOptions {
  /** The longest wait for a slot, in milliseconds. */
  readonly maxWaitMs: number;
  readonly signal: AbortSignal;
  /** For a second try of a request that has had its turn: goes before those that are waiting. */
  readonly first?: boolean;
}

interface Waiter {
  readonly deadline: number;
  serve(slot: Slot): void;
  fail(error: unknown): void;
}

/**
 * Keeps requests under a limit exactly: a slot is free again one window after its request's *answer*, so that however
 * long a request takes, no window of the service's ever sees more than the limit. First come, first served.
 *
 * @example
 * const limiter = new Limiter({ limit: 10, windowMs: 60_000, clock: systemClock });
 * const slot = await limiter.acquire({ maxWaitMs: 10_000, signal });
 * try { await request(); } finally { slot.answered(); }
 */
export class Limiter {
  readonly #limit: number;
  readonly #windowMs: number;
  readonly #clock: Clock;
  #underWay = 0;
  /** When the slots of answered requests are free again, soonest first. */
  #cooling: number[] = [];
  #heldUntil = 0;
  #queue: Waiter[] = [];
  #cancelWake: (() => void) | undefined;

  constructor({ limit, windowMs, clock }: LimiterOptions) {
    this.#limit = limit;
    this.#windowMs = windowMs;
    this.#clock = clock;
    this.#heldUntil = clock.now();
  }

  /** Whether forgetting this limiter would change nothing. */
  get idle(): boolean {
    this.#cool();
    return (
      this.#underWay === 0 &&
      this.#cooling.length === 0 &&
      this.#queue.length === 0 &&
      this.#heldUntil <= this.#clock.now()
    );
  }

  /**
   * @throws {RateLimitedError} No slot will be free in time; at once, as far as that is known.
   * @throws The signal's reason, when it is aborted.
   */
  acquire({ maxWaitMs, signal, first = false }: AcquireOptions): Promise<Slot> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const expectedWaitMs = this.#expectedWait(first ? 0 : this.#queue.length);
      if (expectedWaitMs > maxWaitMs) return reject(new RateLimitedError(expectedWaitMs));

      const abort = () => this.#leave(waiter, signal.reason);
      const done = () => {
        cancelDeadline();
        signal.removeEventListener("abort", abort);
      };
      const waiter: Waiter = {
        deadline: this.#clock.now() + maxWaitMs,
        serve: (slot) => {
          done();
          resolve(slot);
        },
        fail: (error) => {
          done();
          reject(error);
        },
      };
      const cancelDeadline = this.#clock.after(maxWaitMs, () => {
        // A slot may become free at this very moment.
        this.#serve();
        if (this.#queue.includes(waiter)) this.#expire(waiter);
      });
      signal.addEventListener("abort", abort, { once: true });
      if (first) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#serve();
    });
  }

  /** Lets nothing through before a moment of the clock: the service said so. Who cannot wait that long fails now. */
  holdUntil(time: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, time);
    for (const waiter of this.#queue.filter(({ deadline }) => deadline < this.#heldUntil)) this.#expire(waiter);
    this.#serve();
  }

  #serve(): void {
    this.#cool();
    while (
      this.#queue.length > 0 &&
      this.#underWay + this.#cooling.length < this.#limit &&
      this.#heldUntil <= this.#clock.now()
    ) {
      this.#underWay += 1;
      this.#queue.shift()?.serve(this.#slot());
    }
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    if (this.#queue.length === 0) return;
    // Slots of requests under way are freed by their answers; only the passing of time has to be waited for.
    const full = this.#underWay + this.#cooling.length >= this.#limit;
    const next = Math.max(this.#heldUntil, full ? (this.#cooling[0] ?? Number.POSITIVE_INFINITY) : 0);
    if (next !== Number.POSITIVE_INFINITY)
      this.#cancelWake = this.#clock.after(next - this.#clock.now(), () => this.#serve());
  }

  #slot(): Slot {
    let open = true;
    const end = (free: () => void) => () => {
      if (!open) return;
      open = false;
      this.#underWay -= 1;
      free();
      this.#serve();
    };
    return {
      answered: end(() => this.#cooling.push(this.#clock.now() + this.#windowMs)),
      unused: end(() => undefined),
    };
  }

  #cool(): void {
    const now = this.#clock.now();
    const stillCooling = this.#cooling.findIndex((free) => free > now);
    this.#cooling.splice(0, stillCooling === -1 ? this.#cooling.length : stillCooling);
  }

  /** The least time until whoever has so many others before it gets a slot. */
  #expectedWait(ahead: number): number {
    this.#cool();
    const now = this.#clock.now();
    const held = Math.max(0, this.#heldUntil - now);
    const open = this.#limit - this.#underWay - this.#cooling.length;
    if (ahead < open) return held;
    const order = ahead - open;
    const rounds = Math.floor(order / this.#limit);
    const cooling = this.#cooling[order % this.#limit];
    return Math.max(held, (cooling === undefined ? this.#windowMs : cooling - now) + rounds * this.#windowMs);
  }

  #expire(waiter: Waiter): void {
    this.#leave(waiter, new RateLimitedError(this.#expectedWait(this.#queue.indexOf(waiter))));
  }

  #leave(waiter: Waiter, error: unknown): void {
    this.#queue = this.#queue.filter((other) => other !== waiter);
    waiter.fail(error);
  }
}
