import type { SendError } from "../errors.js";
import type { Parcel, Sent } from "../parcel.js";

export interface CourierOptions {
  /** Maximum milliseconds to wait for a turn and between tries, in total; Infinity for queued messages. */
  readonly maxWait: number;
  /** Milliseconds for the service to answer. */
  readonly timeoutMs?: number | undefined;
  /** Whether nobody can have delivered the parcel before, so that the ledger need not be checked. */
  readonly isNew?: boolean | undefined;
  /** Ends the waiting, the request in progress, and searching the log for it. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting and searching the log; the request in progress may finish. */
  readonly closing: AbortSignal;
  /**
   * Called with the outcome once it is final, and awaited before the ledger forgets the request. If it was not called,
   * an UnknownOutcomeError means that the outcome is still in doubt: the ledger keeps the request for `reconcile`. Any
   * other error means that nothing has been sent.
   */
  readonly decided?: ((outcome: Sent | SendError) => Promise<void>) | undefined;
  /**
   * Called right before each request, once the ledger has it. False: another process has taken over the parcel, and
   * nothing is sent.
   */
  readonly mayLeave?: (() => Promise<boolean>) | undefined;
}

/** Delivers parcels to the service, each at most once. */
export interface Courier {
  /**
   * Sends a parcel. If it definitely did not arrive, it is sent again; if it may have arrived, it is looked up in the
   * delivery log, and never sent again unless the parcel prefers a duplicate to a loss. If the ledger knows of an
   * earlier delivery, that is looked up before anything is sent.
   *
   * @throws {SendError} It was not accepted, or nobody knows.
   */
  deliver(parcel: Parcel, options: CourierOptions): Promise<Sent>;
  /**
   * What happened to a parcel whose process ended while sending it: the message, found in the log and claimed; `"never
   * sent"` if no request for it can have been made; `"unknown"` if the log doesn't say.
   *
   * @throws The reason of `closing`, when it is aborted; then nothing is decided.
   */
  reconcile(
    parcel: Parcel,
    options: Pick<CourierOptions, "closing" | "decided">,
  ): Promise<Sent | "never sent" | "unknown">;
  /** Closes the connections once the requests in progress have ended. */
  close(): Promise<void>;
}
