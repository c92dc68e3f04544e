import { REQUESTS_PER_MINUTE } from "../../api/limits.js";
import * as PATHS from "../../api/contract/v4/paths.js";
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

/**
 * Maximum writes of ours between two reads of the service's list. Not a divisor of the writes per minute: the read
 * before the last of them would be too old when the next may be made.
 */
const WRITES_PER_LOOK_MAX = 16;
/** Reads that a small plan may cost: with at most this many overwrites, there is one read just before each. */
const LOOKS_OF_FEW = 6;

/** How many overwrites and deletes share one read of the service's list: more in larger plans. */
export function writesPerLookOf(operations: readonly Operation[]): number {
  return Math.min(WRITES_PER_LOOK_MAX, Math.max(1, Math.ceil(overwritesIn(operations) / LOOKS_OF_FEW)));
}

/**
 * How many reads of the list applying needs. A single template that was just read needs none.
 *
 * @param read Names whose bodies are available.
 */
function looksOf(operations: readonly Operation[], read: ReadonlySet<string>): number {
  const overwrites = overwritesIn(operations);
  if (overwrites === 0 || (operations.length === 1 && read.size === 1)) return 0;
  return Math.ceil(overwrites / writesPerLookOf(operations));
}

/**
 * Whether applying ends by reading back what was written. A single change needs no read if the service is known to
 * store what it answers.
 */
export function looksBack(operations: readonly Operation[], isProven: boolean): boolean {
  return operations.length > 1 || (operations.length === 1 && !isProven);
}

/** Whether applying takes a lease. A single operation cannot be half done, and stays at three requests. */
export function takesLease(operations: readonly Operation[]): boolean {
  return operations.length > 1;
}

/** Whether it creates a template instead of overwriting one. */
export function isCreate({ kind }: Operation): boolean {
  return kind === "create";
}

function overwritesIn(operations: readonly Operation[]): number {
  return operations.filter((operation) => !isCreate(operation)).length;
}
