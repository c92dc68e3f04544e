import { type CallError, ServiceError, UnreachableError } from "../errors.js";

/** The effect of a call, which determines whether it may be repeated. */
export type CallKind = "read" | "write" | "send";

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 5000;

/**
 * Whether a failed call is repeated. Reads always may be; writes only if they definitely had no effect: nothing was
 * sent, or they were refused with 429. Whether a refused email is sent again is up to the caller.
 */
export function isRetryable(error: unknown, kind: CallKind): error is CallError {
  if (error instanceof UnreachableError) return kind === "read" || !error.requestSent;
  if (!(error instanceof ServiceError)) return false;
  if (error.status === 429) return kind !== "send";
  return kind === "read" && error.status >= 500;
}

/**
 * Milliseconds before the next try: doubled each time, half of it random, so that clients that failed together don't
 * return together; at least what the service asked for.
 *
 * @param attempt Number of tries so far.
 */
export function retryDelay(error: CallError, attempt: number): number {
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  const jittered = backoff / 2 + (Math.random() * backoff) / 2;
  const requested = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return requested === 0 ? jittered : requested + (Math.random() * FIRST_BACKOFF_MS) / 2;
}
