import type { Hooks } from "../api/calls/caller.js";

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
