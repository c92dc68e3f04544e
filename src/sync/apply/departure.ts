import type { CallOptions } from "../../api/calls/caller.js";

/** Why a write whose turn had come was not sent. */
export class NotSent extends Error {
  constructor(readonly reason: "aborted" | "stale") {
    super(reason);
  }
}

/**
 * Options for a write that is only sent while allowed, and never aborted once it is sent: a client may delay it for a
 * minute because of a rate limit.
 *
 * @param mayLeave Called when its turn has come: whether the checked state is still recent.
 */
export function departing(signal: AbortSignal, mayLeave: () => boolean, onLeave: () => void): CallOptions {
  const waiting = new AbortController();
  const abort = () => waiting.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return {
    signal: waiting.signal,
    // The operation handles failed tries.
    retries: 0,
    onRequest() {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) throw new NotSent("aborted");
      if (!mayLeave()) throw new NotSent("stale");
      onLeave();
    },
  };
}
