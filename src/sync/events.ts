import type { CallError } from "../api/errors.js";
import type { Holder } from "./apply/run-lock.js";
import type { Operation } from "./plan/plan.js";

/** Where an operation stands among all of the plan. */
interface OperationEvent<Kind extends string> {
  readonly kind: Kind;
  readonly operation: Operation;
  /** Operations that have ended, this one included where it has. */
  readonly done: number;
  readonly total: number;
}

/** What sync is doing, as it happens: for a progress line. */
export type SyncEvent =
  /** Another run has to end first. */
  | { readonly kind: "held"; readonly holder: Holder }
  /** A run on another machine has to end first. */
  | { readonly kind: "leased" }
  /** `done` of `total` stored templates have been read. */
  | { readonly kind: "read"; readonly name: string; readonly done: number; readonly total: number }
  | OperationEvent<"started">
  /** `unwritten`: the service had it already, so that nothing was written. */
  | (OperationEvent<"applied"> & { readonly unwritten?: true })
  /** The service has something else by now than what the plan was made from, so it was left alone. */
  | OperationEvent<"moved">
  /** `effect`: whether what it wrote may have arrived. */
  | (OperationEvent<"failed"> & { readonly error: Error; readonly effect: "none" | "unknown" })
  /**
   * A request goes out, or goes out again, after so many seconds. `error` is why; absent where the service has not refused
   * it, but would for its rate limit.
   */
  | { readonly kind: "waiting"; readonly seconds: number; readonly error?: CallError };

export type OnSyncEvent = (event: SyncEvent) => void;
