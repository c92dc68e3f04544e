import type { ServiceClock } from "./clock.js";

const WINDOW_MS = 60_000;

/** The state of an endpoint's limit after a request. */
export interface RateState {
  /** Maximum number of requests per minute. */
  readonly limit: number;
  /** Number of requests left. */
  readonly remaining: number;
  /** When the next request is allowed again, in Unix seconds. */
  readonly reset: number;
  /** For a refused request: seconds until a request is allowed again. */
  readonly retryAfter?: number;
}

/**
 * Counts requests in an exact sliding window: no 60 seconds contain more than the limit. Refused requests do not count.
 * The documents do not define the window. This is the strictest reading of "requests per minute", so clients that
 * respect it also respect any other.
 */
export class RateLimiter {
  readonly #clock: ServiceClock;
  /** For each key, the times of the requests that still count, oldest first. */
  readonly #counted = new Map<string, number[]>();

  constructor(clock: ServiceClock) {
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

  /** The state of an unused limit. */
  unused(limit: number): RateState {
    return { limit, remaining: limit, reset: Math.ceil((this.#clock.now() + WINDOW_MS) / 1_000) };
  }
}
