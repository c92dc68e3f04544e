import type { CallError, ServiceError } from "../api/errors.js";
import type { Operation } from "./plan.js";

/** What sync is doing, as it happens: for a progress line. */
export type SyncEvent =
  /** `done` of `total` stored templates have been read. */
  | { readonly kind: "read"; readonly name: string; readonly done: number; readonly total: number }
  | { readonly kind: "started"; readonly operation: Operation; readonly position: number; readonly total: number }
  | { readonly kind: "applied"; readonly operation: Operation; readonly position: number; readonly total: number }
  | {
      readonly kind: "failed";
      readonly operation: Operation;
      readonly error: CallError;
      readonly position: number;
      readonly total: number;
    }
  /** The service's rate limit is reached; the same request goes out again after so many seconds. */
  | { readonly kind: "waiting"; readonly seconds: number; readonly error: ServiceError };

export type OnSyncEvent = (event: SyncEvent) => void;
