import type { CallOptions } from "../../api/calls/caller.js";

/** Why a write whose turn had come did not leave. */
export class NotSent extends Error {
  constructor(readonly reason: "aborted" | "stale") {
    super(reason);
  }
}

/**
 * Options of a write that leaves only while it may, and is never ended once it has left: a client may hold it back for a
 * minute, for the sake of a rate limit.
 *
 * @param mayLeave Asked when its turn has come: whether what it is about is still known.
 */
export function departing(signal: AbortSignal, mayLeave: () => boolean, onLeave: () => void): CallOptions {
  const waiting = new AbortController();
  const abort = () => waiting.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  return {
    signal: waiting.signal,
    // What a try that failed means is for the operation to say.
    retries: 0,
    onRequest() {
      signal.removeEventListener("abort", abort);
      if (signal.aborted) throw new NotSent("aborted");
      if (!mayLeave()) throw new NotSent("stale");
      onLeave();
    },
  };
}
