import { setTimeout as sleep } from "node:timers/promises";
import { AbortedError, type CallError, isRateLimited, ServiceError, UnreachableError } from "../api/errors.js";
import type { OnSyncEvent } from "./events.js";

/** Waits so many milliseconds; rejects as soon as the signal aborts. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

const timerWait: Wait = async (milliseconds, signal) => {
  await sleep(milliseconds, undefined, { signal });
};

/** Limits hold for a minute (part 8), so a wait of more than two means something that waiting does not mend. */
const WAIT_MAX_SECONDS = 120;
/** Waits for one request: other users of the key can take the window's requests before us, but not for ever. */
const WAITS_MAX = 5;
/** Where the answer does not say when. */
const WAIT_DEFAULT_SECONDS = 60;

export interface PatienceOptions {
  readonly signal?: AbortSignal;
  readonly onEvent?: OnSyncEvent;
  /** Default: a timer. */
  readonly wait?: Wait;
}

/**
 * Makes a call, and makes it again when the service refuses it with 429: after the time that the answer says, at most
 * five times, and not where that time is over two minutes. A call that was refused had no effect, so this is safe for
 * writes too.
 *
 * @throws the call's own error, the last 429 included; AbortedError when the signal aborts during a wait.
 */
export async function waitOutRateLimit<Result>(
  call: () => Promise<Result>,
  { signal, onEvent, wait = timerWait }: PatienceOptions,
): Promise<Result> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await call();
    } catch (error) {
      if (!isRateLimited(error) || waits === WAITS_MAX) throw error;
      // A reset in this very second may be some milliseconds away.
      const seconds = Math.max(1, error.retryAfterSeconds ?? WAIT_DEFAULT_SECONDS);
      if (seconds > WAIT_MAX_SECONDS) throw error;
      onEvent?.({ kind: "waiting", seconds, error });
      await waitAfter(error, seconds * 1000, { wait, signal });
    }
  }
}

/** Before a read that failed is made again. */
const AGAIN_MS = [200, 1000, 3000];

/**
 * Makes a call that changes nothing as `waitOutRateLimit` does, and again where the connection broke or the service failed.
 * One that could not be reached at all is not tried again: that is to be known at once.
 *
 * @throws the call's own error, the last one; AbortedError when the signal aborts during a wait.
 */
export async function readPatiently<Result>(call: () => Promise<Result>, options: PatienceOptions): Promise<Result> {
  const { signal, wait = timerWait } = options;
  for (const pause of AGAIN_MS) {
    try {
      return await waitOutRateLimit(call, options);
    } catch (error) {
      if (!isPassing(error)) throw error;
      await waitAfter(error, pause, { wait, signal });
    }
  }
  return waitOutRateLimit(call, options);
}

function isPassing(error: unknown): error is CallError {
  return error instanceof ServiceError ? error.status >= 500 : error instanceof UnreachableError && error.requestSent;
}

async function waitAfter(
  error: CallError,
  milliseconds: number,
  { wait, signal }: { readonly wait: Wait; readonly signal: AbortSignal | undefined },
): Promise<void> {
  try {
    await wait(milliseconds, signal);
  } catch (cause) {
    throw signal?.aborted ? new AbortedError(error, false, signal.reason) : cause;
  }
}
