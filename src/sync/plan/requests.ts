import { REQUESTS_PER_MINUTE } from "../../api/limits.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import { looksBack, looksOf, takesLease } from "./list-reads.js";
import type { Operation } from "./plan.js";

/** The requests to one endpoint. */
export interface EndpointRequests {
  /** `GET /domains/:domain/templates`. */
  readonly endpoint: string;
  readonly count: number;
  /** Requests per minute, as the service reports; undefined until it has. */
  readonly limit?: number;
}

/**
 * The requests for applying, by endpoint.
 *
 * @param read Names whose bodies are available: the others are read before they are overwritten.
 * @param isProven Whether the service is known to store what it answers: if not, one template is read back.
 */
export function requestsFor(
  operations: readonly Operation[],
  read: ReadonlySet<string>,
  limit: (endpoint: string) => number | undefined,
  isProven = true,
): EndpointRequests[] {
  const counts = new Map<string, number>();
  const add = (endpoint: string) => counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  for (let look = 0; look < looksOf(operations, read); look += 1) add(`GET ${PATHS.templates}`);
  if (looksBack(operations, isProven)) {
    if (operations.length > 1) add(`GET ${PATHS.templates}`);
    if (!isProven) add(`GET ${PATHS.template}`);
  }
  if (takesLease(operations)) {
    add(`POST ${PATHS.templates}`);
    add(`GET ${PATHS.templates}`);
    add(`DELETE ${PATHS.template}`);
  }
  for (const { kind, name } of operations) {
    if (kind !== "create" && !read.has(name)) add(`GET ${PATHS.template}`);
    if (kind === "create") add(`POST ${PATHS.templates}`);
    else add(`${kind === "delete" ? "DELETE" : "PUT"} ${PATHS.template}`);
  }
  return [...counts].map(([endpoint, count]) => {
    const perMinute = limit(endpoint);
    return { endpoint, count, ...(perMinute === undefined ? {} : { limit: perMinute }) };
  });
}

/**
 * Seconds that these requests need because of rate limits: endpoints are called concurrently, each window by window.
 */
export function secondsFor(requests: readonly EndpointRequests[]): number {
  const minutes = requests.map(({ count, limit = REQUESTS_PER_MINUTE.free }) => Math.ceil(count / limit) - 1);
  return Math.max(0, ...minutes) * 60;
}
