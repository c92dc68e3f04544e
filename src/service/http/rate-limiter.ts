import type { Clock } from "../clock.js";

const WINDOW_MS = 60_000;

/** Where a request stands in its endpoint's limit. */
export interface RateState {
  /** Requests that any minute may hold. */
  readonly limit: number;
  /** Requests that are left. */
  readonly remaining: number;
  /** When the next request is given back: Unix seconds. */
  readonly reset: number;
  /** For a request that is refused: seconds until one is allowed again. */
  readonly retryAfter?: number;
}

/**
 * Counts requests in an exact sliding window: no sixty seconds hold more than the limit. A request that is refused
 * does not count. The document does not say what a window is: this is the strictest reading of "requests per minute",
 * and what keeps to it keeps to any other.
 */
export class RateLimiter {
  readonly #clock: Clock;
  /** Of each key, the times of the requests that still count, oldest first. */
  readonly #counted = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request against the key's limit, or refuses it. */
  take(key: string, limit: number): RateState {
    const now = this.#clock.now();
    const counted = (this.#counted.get(key) ?? []).filter((time) => now - time < WINDOW_MS);
    const allowed = counted.length < limit;
    if (allowed) counted.push(now);
    this.#counted.set(key, counted);
    const [oldest = now] = counted;
    const waitMs = oldest + WINDOW_MS - now;
    return {
      limit,
      remaining: limit - counted.length,
      reset: Math.ceil((now + waitMs) / 1_000),
      ...(allowed ? {} : { retryAfter: Math.ceil(waitMs / 1_000) }),
    };
  }

  /** The state of a limit that nothing counts against. */
  unused(limit: number): RateState {
    return { limit, remaining: limit, reset: Math.ceil((this.#clock.now() + WINDOW_MS) / 1_000) };
  }
}
