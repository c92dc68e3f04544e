import { ConfigurationError } from "../../errors.js";
import { ServiceError, UnreachableError } from "../errors.js";

/** The clock that calls are paced by. */
export interface TimerClock {
  /** Monotonic milliseconds since any fixed time. */
  now(): number;
  /** Calls back once after this many milliseconds. Returns a function that cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest delay that timers support: 24 days. */
export const TIMER_MAX = 2 ** 31 - 1;

export const systemClock: TimerClock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(Math.ceil(milliseconds), TIMER_MAX));
    return () => clearTimeout(timer);
  },
};

/**
 * Waits.
 *
 * @throws The signal's reason, immediately, when it is aborted.
 */
export async function sleep(clock: TimerClock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** How a call is limited in time and repeated. Its pace is in `rate-limit.ts`. */
export interface CallPolicy {
  /** Milliseconds for all tries and the waits between them. */
  readonly timeoutMs: number;
  /**
   * Milliseconds to wait after a failed try; undefined if the call is not repeated.
   *
   * @param tries Number of tries so far.
   */
  readonly delayAfter: (error: unknown, tries: number) => number | undefined;
}

/** A call's timeout and maximum retries. */
interface CallLimits {
  readonly timeoutMs?: number;
  readonly retries?: number;
}

/** The effect of a call, which determines whether it may be repeated. */
export type CallKind = "read" | "write" | "send";

const TIMEOUT_MS = 30_000;
const RETRIES = 2;
const RETRY_BACKOFF: Backoff = { firstMs: 200, longestMs: 5000 };

/** @throws ConfigurationError for a timeout that timers don't support, or an invalid number of retries. */
export function callPolicy(kind: CallKind, own: CallLimits, defaults: CallLimits = {}): CallPolicy {
  const { timeoutMs = defaults.timeoutMs ?? TIMEOUT_MS, retries = defaults.retries ?? RETRIES } = own;
  if (!(timeoutMs > 0 && timeoutMs <= TIMER_MAX))
    throw new ConfigurationError(
      `timeoutMs is ${timeoutMs}; it must be a number of milliseconds from 1 to ${TIMER_MAX}.`,
    );
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new ConfigurationError(`retries is ${retries}; it must be a whole number, 0 or more.`);
  return {
    timeoutMs,
    delayAfter: (error, tries) => (isRetryable(error, kind) && tries <= retries ? retryDelay(error, tries) : undefined),
  };
}

/**
 * Whether a failed call is repeated. Reads always may be; writes only if they definitely had no effect: nothing was
 * sent, or they were refused with 429. Whether a refused email is sent again is up to the caller.
 */
function isRetryable(error: unknown, kind: CallKind): boolean {
  if (error instanceof UnreachableError) return kind === "read" || !error.requestSent;
  if (!(error instanceof ServiceError)) return false;
  if (error.status === 429) return kind !== "send";
  return kind === "read" && error.status >= 500;
}

/**
 * Half of the back-off is random, so that clients that failed together don't return together; at least what the service
 * asked for.
 */
function retryDelay(error: unknown, tries: number): number {
  const longest = backoff(tries, RETRY_BACKOFF);
  const jittered = longest / 2 + (Math.random() * longest) / 2;
  const requestedMs = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return requestedMs === 0 ? jittered : requestedMs + (Math.random() * RETRY_BACKOFF.firstMs) / 2;
}

export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Milliseconds until the next try: doubled with each try.
 *
 * @param tries Number of tries so far, from 1.
 */
export function backoff(tries: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** (tries - 1), longestMs);
}

/** The delay after a 429 that doesn't give one: the service counts by the minute. */
const RETRY_AFTER_SECONDS = 60;

/** Milliseconds until a call that was refused with 429 may be repeated. */
export function refusedForMs({
  retryAfterSeconds = RETRY_AFTER_SECONDS,
}: Pick<ServiceError, "retryAfterSeconds">): number {
  // A reset within this second may still be a few milliseconds away.
  return Math.max(1, retryAfterSeconds) * 1000;
}
