import type { CallError } from "../api/errors.js";
import type { LockHolder } from "./apply/run-lock.js";
import type { Operation } from "./plan/plan.js";
import type { Hooks } from "../api/calls/caller.js";

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
  | { readonly kind: "held"; readonly holder: LockHolder }
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

/** What a service's answers reveal about it. */
export interface ServiceObserver {
  /** For `createClient`. */
  readonly hooks: Hooks;
  /** A time in Unix seconds that the service's clock has certainly reached; undefined until an answer reveals it. */
  reached(): number | undefined;
  /**
   * Requests per minute of an endpoint such as `GET /domains/:domain/templates`, or of any endpoint if this one has not
   * been called.
   */
  limit(endpoint: string): number | undefined;
}

/**
 * Observes a client's calls to learn the service's rate limits and clock.
 *
 * @example
 * const observer = observeService();
 * const client = createClient({ apiKey, baseUrl, ...observer.hooks });
 */
export function observeService(): ServiceObserver {
  const limits = new Map<string, number>();
  let anyLimit: number | undefined;
  let reached: number | undefined;
  return {
    reached: () => reached,
    limit: (endpoint) => limits.get(endpoint) ?? anyLimit,
    hooks: {
      onResponse({ method, endpoint, rateLimit, serviceTime }) {
        if (rateLimit?.limit !== undefined) {
          limits.set(`${method} ${endpoint}`, rateLimit.limit);
          anyLimit ??= rateLimit.limit;
        }
        if (serviceTime !== undefined) {
          const seconds = Math.floor(serviceTime.getTime() / 1000);
          reached = Math.max(reached ?? seconds, seconds);
        }
      },
    },
  };
}
