import type { SendError } from "../errors.js";
import type { Parcel, Sent } from "./parcel.js";

export interface CourierOptions {
  /** Milliseconds to spend on waiting for a turn and between tries, in all; Infinity for what is queued. */
  readonly maxWait: number;
  /** Milliseconds for the service to answer. */
  readonly timeoutMs?: number | undefined;
  /** Whether nobody can have delivered the parcel before, so that the ledger need not be asked. */
  readonly isNew?: boolean | undefined;
  /** Ends the waiting, the request under way, and looking for it in the log. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting, and looking in the log; the request under way has its time. */
  readonly closing: AbortSignal;
  /**
   * Told what became of the parcel once that is final, and awaited before the ledger forgets its request. Where it was not
   * called, an UnknownOutcomeError means that it is still in doubt: the ledger keeps its request for `reconcile`. Any other error
   * means that nothing has left.
   */
  readonly decided?: ((outcome: Sent | SendError) => Promise<void>) | undefined;
  /** Asked right before each request, once the ledger has it. False: the parcel is somebody else's by now, and nothing leaves. */
  readonly mayLeave?: (() => Promise<boolean>) | undefined;
}

/** Brings parcels to the service, each at most once. */
export interface Courier {
  /**
   * Sends a parcel. What surely did not arrive is tried again; what may have arrived is looked up in the delivery log,
   * and never sent again unless the parcel says that a duplicate is better than a loss. A parcel that the ledger knows of an
   * earlier delivery is looked up before anything leaves.
   *
   * @throws {SendError} It was not accepted, or nobody knows.
   */
  deliver(parcel: Parcel, options: CourierOptions): Promise<Sent>;
  /**
   * What became of a parcel whose process ended while it was being sent: the mail, found in the log and claimed;
   * `"never sent"` where no request of it can have left; `"unknown"` where the log does not tell.
   *
   * @throws The reason of `closing`, when it is aborted; nothing is decided then.
   */
  reconcile(
    parcel: Parcel,
    options: Pick<CourierOptions, "closing" | "decided">,
  ): Promise<Sent | "never sent" | "unknown">;
  /** Closes the connections, once the requests under way have ended. */
  close(): Promise<void>;
}
