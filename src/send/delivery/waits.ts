import { setMaxListeners } from "node:events";
import type { Clock } from "../clock.js";
import { ExpiredError, SendAbortedError } from "../errors.js";
import type { CourierOptions } from "./courier.js";
import type { Parcel } from "../parcel.js";

/** What ends the waiting of one delivery. */
export interface Waits {
  /** Before the first request: closing, the caller's signal, and the message's expiry. */
  readonly signal: AbortSignal;
  /** After a request was made: closing and the caller's signal. */
  readonly stop: AbortSignal;
  /** By `clock.now()`. */
  readonly deadline: number;
  /** @throws The signal's reason, if waiting has to end now. */
  check(): void;
  /** Translates the error that ended a wait for the caller. */
  errorOf(error: unknown): unknown;
  /** Removes all listeners and timers. */
  end(): void;
}

type Options = Pick<CourierOptions, "maxWait" | "signal" | "closing">;

export function waitsOf({ expiresAt }: Pick<Parcel, "expiresAt">, options: Options, clock: Clock): Waits {
  const { maxWait, signal: own, closing } = options;
  const deadline = clock.now() + maxWait;
  // Closing ends any number of sends, and so may the caller's signal.
  setMaxListeners(0, closing);
  const listeners = new Listeners();
  const stop = own === undefined ? closing : listeners.any([closing, own]);
  let signal = stop;
  let cancel = () => {};
  if (expiresAt !== undefined) {
    const expiry = new AbortController();
    const expireInTime = () => {
      if (clock.time() >= expiresAt) expiry.abort(new ExpiredError());
      // A timer cannot run for months, and may fire slightly early.
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

/** A signal that follows others, and can be detached from them. */
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
