import { setMaxListeners } from "node:events";
import type { Clock } from "../clock.js";
import { ExpiredError, SendAbortedError } from "../errors.js";
import type { CourierOptions } from "./courier.js";
import type { Parcel } from "./parcel.js";

/** What ends the waiting of one delivery. */
export interface Waits {
  /** Before anything has left: closing, the caller's signal, and the time from which on it is not worth sending. */
  readonly signal: AbortSignal;
  /** When something has left: closing and the caller's signal. */
  readonly stop: AbortSignal;
  /** By `clock.now()`. */
  readonly deadline: number;
  /** @throws The signal's reason, where it has to end now. */
  check(): void;
  /** What a wait was ended with, in words for the caller. */
  errorOf(error: unknown): unknown;
  /** Nothing waits any more. */
  end(): void;
}

type Options = Pick<CourierOptions, "maxWait" | "signal" | "closing">;

export function waitsOf({ expiresAt }: Pick<Parcel, "expiresAt">, options: Options, clock: Clock): Waits {
  const { maxWait, signal: own, closing } = options;
  const deadline = clock.now() + maxWait;
  // It ends any number of sends, and so may the caller's.
  setMaxListeners(0, closing);
  const listeners = new Listeners();
  const stop = own === undefined ? closing : listeners.any([closing, own]);
  let signal = stop;
  let cancel = () => {};
  if (expiresAt !== undefined) {
    const expiry = new AbortController();
    const expireInTime = () => {
      if (clock.time() >= expiresAt) expiry.abort(new ExpiredError());
      // A timer does not go for months, and may be a moment early.
      else cancel = clock.after(Math.max(1, expiresAt - clock.time()), expireInTime);
    };
    expireInTime();
    signal = listeners.any([stop, expiry.signal]);
  }
  return {
    signal,
    stop,
    deadline,
    check() {
      signal.throwIfAborted();
      if (expiresAt !== undefined && clock.time() >= expiresAt) throw new ExpiredError();
    },
    errorOf: (error) =>
      signal.aborted && error === signal.reason && !(error instanceof ExpiredError)
        ? new SendAbortedError({ cause: error })
        : error,
    end() {
      cancel();
      listeners.remove();
    },
  };
}

/** A signal that others abort, and that lets go of them when it is not needed any more. */
class Listeners {
  readonly #removals: (() => void)[] = [];

  any(sources: readonly AbortSignal[]): AbortSignal {
    const controller = new AbortController();
    for (const source of sources) {
      const abort = () => controller.abort(source.reason);
      if (source.aborted) abort();
      setMaxListeners(0, source);
      source.addEventListener("abort", abort);
      this.#removals.push(() => source.removeEventListener("abort", abort));
    }
    return controller.signal;
  }

  remove(): void {
    for (const remove of this.#removals) remove();
  }
}
