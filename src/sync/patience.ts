import { setTimeout as sleep } from "node:timers/promises";
import { refusedForMs } from "../api/calls/policy.js";
import { type Backoff, backoff } from "../api/calls/timing.js";
import type { CallOptions } from "../api/calls/caller.js";
import { AbortedError, CallError, isRateLimited, ServiceError, UnreachableError } from "../api/errors.js";
import type { OnSyncEvent } from "./events.js";

/** Waits for this many milliseconds; rejects as soon as the signal aborts. */
export type WaitFor = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const timerWait: WaitFor = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

/**
 * Limits apply for a minute (part 8), so a wait of more than two minutes means a problem that waiting does not solve.
 */
const WAIT_MAX_SECONDS = 120;
/** Shorter waits look like a slow service; longer ones are announced. */
const ANNOUNCED_SECONDS = 3;
/** Maximum waits for one request: other users of the key may use up the window's requests first, but not forever. */
const WAITS_MAX = 5;

export interface PatienceOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: OnSyncEvent;
  /** Default: a timer. */
  readonly wait?: WaitFor;
  /** Whether the service has answered before: then failing to reach it is an outage, not a wrong URL. */
  readonly hasAnswered?: boolean;
}

/** Options of a call whose wait for the client's pacing is announced. */
export function pacedOptions(options: Pick<PatienceOptions, "onEvent">): Pick<CallOptions, "onWait"> {
  return { onWait: (milliseconds) => announceWait(milliseconds, undefined, options) };
}

/**
 * Makes a call, and repeats it if the service refuses it with 429: after the time in the answer, at most five times,
 * and not if that time is over two minutes. A refused call had no effect, so this is also safe for writes.
 *
 * @throws The call's own error, including the last 429; AbortedError when the signal aborts during a wait.
 */
export function waitOutRateLimit<Result>(call: () => Promise<Result>, options: PatienceOptions): Promise<Result> {
  return repeat(call, options, (error, attempt) => {
    if (!isRateLimited(error) || attempt > WAITS_MAX) return undefined;
    const milliseconds = refusedForMs(error);
    const seconds = milliseconds / 1000;
    if (seconds > WAIT_MAX_SECONDS) return undefined;
    options.onEvent?.({ kind: "waiting", seconds, error });
    return milliseconds;
  });
}

const READ_RETRIES = 3;
const READ_BACKOFF: Backoff = { firstMs: 200, longestMs: 3000, factor: 5 };

/**
 * Makes a read-only call like `waitOutRateLimit`, and repeats it if the connection broke or the service failed. If the
 * service could not be reached at all and has never answered, the call is not repeated, so that a wrong URL is reported
 * at once.
 *
 * @throws The call's own error, from the last try; AbortedError when the signal aborts during a wait.
 */
export function readWithRetries<Result>(call: () => Promise<Result>, options: PatienceOptions): Promise<Result> {
  const { hasAnswered = false } = options;
  return repeat(
    () => waitOutRateLimit(call, options),
    options,
    (error, attempt) => {
      if (attempt > READ_RETRIES || !isPassing(error) || (isUnreached(error) && !hasAnswered)) return undefined;
      const delay = delayAfter(error, backoff(attempt, READ_BACKOFF));
      if (delay !== undefined) announceWait(delay, error, options);
      return delay;
    },
  );
}

/** @param retry Like that of a client's policy: milliseconds until the next try; undefined if there is none. */
async function repeat<Result>(
  call: () => Promise<Result>,
  options: PatienceOptions,
  retry: (error: CallError, attempt: number) => number | undefined,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const delay = error instanceof CallError ? retry(error, attempt) : undefined;
      if (!(error instanceof CallError) || delay === undefined) throw error;
      await waitAfter(error, delay, options);
    }
  }
}

function isPassing(error: CallError): boolean {
  return error instanceof ServiceError ? error.status >= 500 : error instanceof UnreachableError;
}

function isUnreached(error: CallError): boolean {
  return error instanceof UnreachableError && !error.requestSent;
}

/**
 * Milliseconds before a request is repeated after the service failed: at least as long as the answer says.
 *
 * @returns Undefined if that is too long to wait.
 */
export function delayAfter(error: unknown, milliseconds: number): number | undefined {
  const seconds = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) : 0;
  return seconds > WAIT_MAX_SECONDS ? undefined : Math.max(milliseconds, seconds * 1000);
}

/** Announces a wait that is long enough to be noticed. */
export function announceWait(
  milliseconds: number,
  error: CallError | undefined,
  { onEvent }: Pick<PatienceOptions, "onEvent">,
): void {
  const seconds = milliseconds / 1000;
  if (seconds >= ANNOUNCED_SECONDS) onEvent?.({ kind: "waiting", seconds, ...(error && { error }) });
}

/** @throws AbortedError when the signal aborts. */
export async function waitAfter(
  error: CallError,
  milliseconds: number,
  { wait = timerWait, signal }: Pick<PatienceOptions, "wait" | "signal">,
): Promise<void> {
  try {
    await wait(milliseconds, signal);
  } catch (cause) {
    throw signal?.aborted ? new AbortedError(error, false, signal.reason) : cause;
  }
}
