import type { Parcel, Sent } from "./parcel.js";

export interface CourierOptions {
  /** Milliseconds to spend on waiting for a turn and between tries, in all. */
  readonly maxWait: number;
  /** Milliseconds for the service to answer. */
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting, and the request under way. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting only. */
  readonly closing: AbortSignal;
}

/** Brings parcels to the service, each at most once. */
export interface Courier {
  /**
   * Sends a parcel. What surely did not arrive is tried again; what may have arrived is looked up in the delivery log,
   * and never sent again unless the parcel says that a duplicate is better than a loss.
   *
   * @throws {SendError} It was not accepted, or nobody knows.
   */
  deliver(parcel: Parcel, options: CourierOptions): Promise<Sent>;
  /**
   * What became of a parcel whose process ended while it was being sent: the mail, found in the log and claimed;
   * `"never sent"` where no request of it can have left; `"unknown"` where the log does not tell.
   */
  reconcile(parcel: Parcel, options: Pick<CourierOptions, "closing">): Promise<Sent | "never sent" | "unknown">;
}
