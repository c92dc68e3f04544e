import { setTimeout as sleep } from "node:timers/promises";
import type { CallOptions } from "../api/calls/caller.js";
import { AbortedError, type CallError, isRateLimited, ServiceError, UnreachableError } from "../api/errors.js";
import type { OnSyncEvent } from "./events.js";

/** Waits so many milliseconds; rejects as soon as the signal aborts. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const timerWait: Wait = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

/** Limits hold for a minute (part 8), so a wait of more than two means something that waiting does not fix. */
const WAIT_MAX_SECONDS = 120;
/** Shorter waits look like a slow service; longer ones are announced. */
const ANNOUNCED_SECONDS = 3;
/** Waits for one request: other users of the key can take the window's requests before us, but not for ever. */
const WAITS_MAX = 5;
/** Where the answer does not say when. */
const WAIT_DEFAULT_SECONDS = 60;

export interface PatienceOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: OnSyncEvent;
  /** Default: a timer. */
  readonly wait?: Wait;
  /** Whether the service has answered before: then one that can't be reached is an outage, not a wrong address. */
  readonly hasAnswered?: boolean;
}

/** Options of a call whose wait for the client's pacing is announced. */
export function pacedOptions(options: Pick<PatienceOptions, "onEvent">): Pick<CallOptions, "onWait"> {
  return { onWait: (milliseconds) => announceWait(milliseconds, undefined, options) };
}

/**
 * Makes a call, and makes it again when the service refuses it with 429: after the time that the answer says, at most
 * five times, and not where that time is over two minutes. A call that was refused had no effect, so this is safe for
 * writes too.
 *
 * @throws the call's own error, the last 429 included; AbortedError when the signal aborts during a wait.
 */
export async function waitOutRateLimit<Result>(call: () => Promise<Result>, options: PatienceOptions): Promise<Result> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isRateLimited(error) || waits === WAITS_MAX) throw error;
      // A reset in this very second may be some milliseconds away.
      const seconds = Math.max(1, error.retryAfterSeconds ?? WAIT_DEFAULT_SECONDS);
      if (seconds > WAIT_MAX_SECONDS) throw error;
      options.onEvent?.({ kind: "waiting", seconds, error });
      await waitAfter(error, seconds * 1000, options);
    }
  }
}

/** Before a read that failed is made again. */
const AGAIN_MS = [200, 1000, 3000];

/**
 * Makes a call that changes nothing as `waitOutRateLimit` does, and again where the connection broke or the service failed.
 * One that could not be reached at all, and has not answered before, is not tried again: that is to be known at once.
 *
 * @throws the call's own error, the last one; AbortedError when the signal aborts during a wait.
 */
export async function readPatiently<Result>(call: () => Promise<Result>, options: PatienceOptions): Promise<Result> {
  const { hasAnswered = false } = options;
  for (const pause of AGAIN_MS) {
    try {
      return await waitOutRateLimit(call, options);
    } catch (error) {
      if (!isPassing(error) || (isUnreached(error) && !hasAnswered)) throw error;
      const delay = delayAfter(error, pause);
      if (delay === undefined) throw error;
      announceWait(delay, error, options);
      await waitAfter(error, delay, options);
    }
  }
  return waitOutRateLimit(call, options);
}

function isPassing(error: unknown): error is ServiceError | UnreachableError {
  return error instanceof ServiceError ? error.status >= 500 : error instanceof UnreachableError;
}

function isUnreached(error: CallError): boolean {
  return error instanceof UnreachableError && !error.requestSent;
}

/**
 * Milliseconds before a request that the service failed goes out again: as long as the answer says where that is more.
 *
 * @returns Undefined where that is too long to wait.
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
