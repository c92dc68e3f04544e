import { ConfigurationError } from "../../errors.js";
import { ServiceError, UnreachableError } from "../errors.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../limits.js";
import { EndpointPace, type RequestSlot, type SlotRequest } from "./rate-limit.js";
import { type Backoff, backoff, systemClock, type TimerClock } from "./timing.js";

/**
 * When a client's requests are made, and which failed calls it repeats. A caller that decides one of them itself passes
 * its own.
 *
 * @example
 * createClient({ apiKey, baseUrl, policy: { retry: (failure, { attempt }) => (attempt < 5 ? 1000 : undefined) } });
 */
export interface CallPolicy {
  /** The right to make one request: at once or, if it has to wait for its turn, as a promise. */
  readonly slot: (request: PolicyRequest) => RequestSlot | Promise<RequestSlot>;
  /** Milliseconds until a failed call is tried again; undefined if it is not. */
  readonly retry: (failure: unknown, request: PolicyRequest) => number | undefined;
  /** Fails everything that waits for a slot. */
  readonly close?: () => void;
}

/** One try of a call. */
export interface PolicyRequest extends SlotRequest {
  readonly method: string;
  /** The path with its parameters' names: rate limits apply per endpoint. */
  readonly endpoint: string;
  readonly kind: CallKind;
  /** The call's own maximum of retries. */
  readonly retries?: number | undefined;
}

/** The effect of a call, which determines whether it may be repeated. */
export type CallKind = "read" | "write" | "send";

const freeSlot: RequestSlot = { answered: () => undefined, lost: () => undefined, unused: () => undefined };

/** For a caller that decides itself what to repeat: the client keeps to the service's limits. */
export const NO_RETRIES = { retry: () => undefined } satisfies Partial<CallPolicy>;

/** Makes each request at once, and repeats none. */
export const ONCE: CallPolicy = { slot: () => freeSlot, ...NO_RETRIES };

interface PolicySettings {
  readonly retries?: number;
  readonly pacing?: boolean;
  readonly clock?: TimerClock;
}

const RETRIES = 2;
const RETRY_BACKOFF: Backoff = { firstMs: 200, longestMs: 5000 };

/** Paces each endpoint by the limit in its answers, and repeats what had no effect or is only read. */
export function standardPolicy({ retries: most = RETRIES, pacing = true, clock = systemClock }: PolicySettings) {
  checkRetries(most);
  const paces = new Map<string, EndpointPace>();
  const paceOf = ({ method, endpoint, kind }: PolicyRequest): EndpointPace => {
    const name = `${method} ${endpoint}`;
    let pace = paces.get(name);
    if (pace === undefined) {
      // A parameter's name does not make a different endpoint.
      const key = name.replace(/:\w+/g, ":");
      pace = paces.get(key) ?? new EndpointPace(clock, kind === "send" ? SENDS_PER_MINUTE : REQUESTS_PER_MINUTE.free);
      paces.set(key, pace).set(name, pace);
    }
    return pace;
  };
  return {
    slot: pacing ? (request) => paceOf(request).slot(request) : ONCE.slot,
    retry: (failure, { kind, attempt, retries = most }) =>
      isRetryable(failure, kind) && attempt <= retries ? retryDelay(failure, attempt) : undefined,
    close() {
      for (const pace of paces.values()) pace.close();
    },
  } satisfies CallPolicy;
}

/** @throws ConfigurationError */
export function checkRetries(retries: number): void {
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new ConfigurationError(`retries is ${retries}; it must be a whole number, 0 or more.`);
}

/**
 * Whether a failed call is repeated. Reads always may be; writes only if they definitely had no effect: nothing was
 * sent, or they were refused with 429. Whether a refused email is sent again is up to the caller.
 */
function isRetryable(error: unknown, kind: CallKind): boolean {
  if (error instanceof UnreachableError) return kind === "read" || !error.requestSent;
  if (!(error instanceof ServiceError)) return false;
  if (error.status === 429) return kind !== "send";
  return kind === "read" && error.status >= 500;
}

/**
 * Half of the back-off is random, so that clients that failed together don't return together; at least what the service
 * asked for.
 */
function retryDelay(error: unknown, attempt: number): number {
  const longest = backoff(attempt, RETRY_BACKOFF);
  const jittered = longest / 2 + (Math.random() * longest) / 2;
  const requestedMs = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return requestedMs === 0 ? jittered : requestedMs + (Math.random() * RETRY_BACKOFF.firstMs) / 2;
}

/** The delay after a 429 that doesn't give one: the service counts by the minute. */
const RETRY_AFTER_SECONDS = 60;

/** Milliseconds until a call that was refused with 429 may be repeated. */
export function refusedForMs({
  retryAfterSeconds = RETRY_AFTER_SECONDS,
}: Pick<ServiceError, "retryAfterSeconds">): number {
  // A reset within this second may still be a few milliseconds away.
  return Math.max(1, retryAfterSeconds) * 1000;
}
