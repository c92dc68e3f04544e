import type { ServiceClock } from "./clock.js";

const WINDOW_MS = 60_000;
/** With this many keys, those without a request in the window are forgotten: clients may choose them. */
const KEYS_MAX = 10_000;

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
    if (this.#counted.size >= KEYS_MAX) this.#forgetUnused();
    const counted = this.#countedFor(key);
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

  /** Seconds until a request with this key is allowed. Undefined if it is now. */
  retryAfter(key: string, limit: number): number | undefined {
    const counted = this.#countedFor(key);
    const [oldest = 0] = counted;
    return counted.length < limit ? undefined : Math.ceil((oldest + WINDOW_MS - this.#clock.now()) / 1_000);
  }

  /** The state of an unused limit. */
  unused(limit: number): RateState {
    return { limit, remaining: limit, reset: Math.ceil((this.#clock.now() + WINDOW_MS) / 1_000) };
  }

  #countedFor(key: string): number[] {
    const now = this.#clock.now();
    return (this.#counted.get(key) ?? []).filter((time) => now - time < WINDOW_MS);
  }

  #forgetUnused(): void {
    for (const key of this.#counted.keys()) if (this.#countedFor(key).length === 0) this.#counted.delete(key);
  }
}
