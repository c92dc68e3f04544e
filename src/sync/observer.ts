import type { Hooks } from "../api/calls/hooks.js";

/** What the answers of a service say of itself. */
export interface ServiceObserver {
  /** For `createClient`. */
  readonly hooks: Hooks;
  /** A moment in Unix seconds that the service's clock has surely reached; undefined while no answer has told. */
  reached(): number | undefined;
  /** Requests a minute of an endpoint such as `GET /domains/:domain/templates`, or of any where it has not been asked. */
  limit(endpoint: string): number | undefined;
}

/**
 * Sees a client's calls: the limits that the service reports, and its clock.
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
