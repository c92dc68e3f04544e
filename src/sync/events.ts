import type { CallError } from "../api/errors.js";
import type { Holder } from "./apply/run-lock.js";
import type { Operation } from "./plan/plan.js";

/** The progress of an operation within the plan. */
interface OperationEvent<Kind extends string> {
  readonly kind: Kind;
  readonly operation: Operation;
  /** Number of operations that have ended, including this one if it has. */
  readonly done: number;
  readonly total: number;
}

/** What sync is doing, as it happens, for a progress line. */
export type SyncEvent =
  /** Another run must end first. */
  | { readonly kind: "held"; readonly holder: Holder }
  /** A run on another machine must end first. */
  | { readonly kind: "leased" }
  /** `done` of `total` stored templates have been read. */
  | { readonly kind: "read"; readonly name: string; readonly done: number; readonly total: number }
  | OperationEvent<"started">
  /** `unwritten`: the service already had the content, so nothing was written. */
  | (OperationEvent<"applied"> & { readonly unwritten?: true })
  /** The template on the service has changed since the plan was made, so it was left alone. */
  | OperationEvent<"moved">
  /** `effect`: whether the write may have arrived. */
  | (OperationEvent<"failed"> & { readonly error: Error; readonly effect: "none" | "unknown" })
  /**
   * A request is made, or repeated, after this many seconds. `error` is the reason; absent if the wait avoids exceeding
   * the service's rate limit.
   */
  | { readonly kind: "waiting"; readonly seconds: number; readonly error?: CallError };

export type OnSyncEvent = (event: SyncEvent) => void;
