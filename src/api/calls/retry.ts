import { type CallError, ServiceError, UnreachableError } from "../errors.js";

/** What a call does, as far as making it again is concerned. */
export type CallKind = "read" | "write" | "send";

const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 5000;

/**
 * Whether a call that failed is made again. A read always may be; what changes something only where it surely had no
 * effect: nothing of it was sent, or it was refused with 429. Whether a refused mail is sent again is its caller's to say.
 */
export function isRetryable(error: unknown, kind: CallKind): error is CallError {
  if (error instanceof UnreachableError) return kind === "read" || !error.requestSent;
  if (!(error instanceof ServiceError)) return false;
  if (error.status === 429) return kind !== "send";
  return kind === "read" && error.status >= 500;
}

/**
 * Milliseconds before the next try: twice as long each time, a random half of it, so that clients that failed together
 * don't come back together; at least what the service asked for.
 *
 * @param attempt Tries so far.
 */
export function retryDelay(error: CallError, attempt: number): number {
  const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  const jittered = backoff / 2 + (Math.random() * backoff) / 2;
  const asked = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return asked === 0 ? jittered : asked + (Math.random() * FIRST_BACKOFF_MS) / 2;
}
