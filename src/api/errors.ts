import { LettershopError } from "../errors.js";
import type { RateLimit } from "./calls/answer.js";

/** The request that an error is about. Contains no secrets: the key is sent in a header. */
export interface RequestFacts {
  readonly method: string;
  /** Without the version: `/domains/example.com/templates/receipt`. */
  readonly path: string;
  /** The full URL without the query. */
  readonly url: string;
}

/** The base class of errors of calls to the service. */
export abstract class CallError extends LettershopError {
  readonly method: string;
  readonly path: string;
  readonly url: string;

  constructor(message: string, request: RequestFacts, options?: { cause?: unknown; hint?: string }) {
    super(message, options);
    this.method = request.method;
    this.path = request.path;
    this.url = request.url;
  }
}

/** The service's refusal of a request. */
export interface Refusal {
  /** The HTTP status: 400 and above; 2xx if version 3 answered `success: false` with it. */
  readonly status: number;
  /** The service's message, otherwise the first field's; the status text if the answer has no message. */
  readonly serviceMessage: string;
  /** For a failed validation, the messages by field; otherwise empty (part 7). */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** When a 429 or a 503 says to try again. */
  readonly retryAfterSeconds?: number;
  readonly rateLimit?: RateLimit;
}

const hints: Readonly<Record<number, string>> = {
  401: "The API key is missing, mistyped or revoked: see the API section of the account's dashboard.",
};

/**
 * The service refused the request: it answered with status 400 or above or, in version 3, with `success: false` where
 * the documentation does not define that as data.
 *
 * @example
 * try {
 *   await client.templates.get("example.com", "receipt");
 * } catch (error) {
 *   if (!isNotFound(error)) throw error;
 * }
 */
export class ServiceError extends CallError implements Refusal {
  override readonly name = "ServiceError";
  readonly code = "refused";
  readonly status: number;
  readonly serviceMessage: string;
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterSeconds?: number;
  readonly rateLimit?: RateLimit;

  constructor(request: RequestFacts, refusal: Refusal) {
    const hint = hints[refusal.status];
    super(
      `The service answered ${refusal.status} to ${request.method} ${request.path}: ${refusal.serviceMessage}`,
      request,
      hint === undefined ? undefined : { hint },
    );
    this.status = refusal.status;
    this.serviceMessage = refusal.serviceMessage;
    this.fieldErrors = refusal.fieldErrors;
    if (refusal.retryAfterSeconds !== undefined) this.retryAfterSeconds = refusal.retryAfterSeconds;
    if (refusal.rateLimit !== undefined) this.rateLimit = refusal.rateLimit;
  }
}

/**
 * There was no answer: the name did not resolve, the connection was refused or could not be secured (`requestSent` is
 * false), or it broke after the request was at least partly sent (`requestSent` is true, and the request may have taken
 * effect).
 */
export class UnreachableError extends CallError {
  override readonly name = "UnreachableError";
  readonly code = "unreachable";

  constructor(
    request: RequestFacts,
    /** Whether any of the request may have reached the service. False is certain. */
    readonly requestSent: boolean,
    /** What the network or TLS reported. */
    readonly reason: string,
    cause?: unknown,
  ) {
    super(
      requestSent
        ? `The connection to ${request.url} broke before the answer to ${request.method} was complete: ${reason}.`
        : `Can't reach ${request.url}: ${reason}.`,
      request,
      { cause },
    );
  }
}

/** There was no complete answer within the call's timeout. */
export class TimeoutError extends CallError {
  override readonly name = "TimeoutError";
  readonly code = "timeout";

  constructor(
    request: RequestFacts,
    /** Whether any of the request may have reached the service. False is certain. */
    readonly requestSent: boolean,
    readonly timeoutMs: number,
  ) {
    const what = requestSent ? `${request.url} did not answer ${request.method}` : `Can't reach ${request.url}`;
    super(`${what} within ${timeoutMs / 1000} s.`, request);
  }
}

/** The caller's signal ended the call. `cause` is the signal's reason. */
export class AbortedError extends CallError {
  override readonly name = "AbortedError";
  readonly code = "aborted";

  constructor(
    request: RequestFacts,
    /** Whether any of the request may have reached the service. False is certain. */
    readonly requestSent: boolean,
    cause?: unknown,
  ) {
    super(`${request.method} ${request.path} was aborted.`, request, { cause });
  }
}

/** The service's answer violates its contract. The request may have taken effect. */
export class ContractError extends CallError {
  override readonly name = "ContractError";
  readonly code = "contract";

  constructor(
    request: RequestFacts,
    readonly status: number,
    /** What is wrong with the answer: "it redirects to https://…". */
    readonly problem: string,
    /** The beginning of the answer. */
    readonly bodyStart: string,
    hint = `Check that ${request.url} is the right URL, and that no proxy changes the answer.`,
  ) {
    super(`The service's answer to ${request.method} ${request.path} breaks its contract: ${problem}.`, request, {
      hint,
    });
  }
}

/** The state of a batch of several requests, one of which failed. Positions refer to the caller's array. */
export interface BatchState<Done> {
  /** The results of the previous requests, including their failed entries. */
  readonly done: Done;
  /** Positions with an unknown outcome: their request may have taken effect. */
  readonly unknown: readonly number[];
  /** Positions that were definitely not processed. */
  readonly notDone: readonly number[];
}

/**
 * A request of a batch failed as a whole, and the requests after it were not made. `cause` is its error.
 *
 * @example
 * try {
 *   await client.aliases.createMany("example.com", aliases);
 * } catch (error) {
 *   if (!(error instanceof BatchError)) throw error;
 *   await client.aliases.createMany("example.com", error.notDone.map((position) => aliases[position]));
 * }
 */
export class BatchError<Done = unknown> extends LettershopError implements BatchState<Done> {
  override readonly name = "BatchError";
  readonly code = "batch";
  override readonly cause: CallError;
  readonly done: Done;
  readonly unknown: readonly number[];
  readonly notDone: readonly number[];

  constructor(cause: CallError, { done, unknown, notDone }: BatchState<Done>) {
    const lost = unknown.length === 0 ? "" : ` (${unknown.length} items may have been processed)`;
    super(`The batch stopped early${lost}; ${notDone.length} items were not processed: ${cause.message}`, { cause });
    this.cause = cause;
    this.done = done;
    this.unknown = unknown;
    this.notDone = notDone;
  }
}

/** A 400 that names invalid fields. */
export function isInvalid(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 400 && Object.keys(error.fieldErrors).length > 0;
}

/** A 401: missing or invalid credentials. */
export function isUnauthorized(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 401;
}

/** A 403: missing permission, for example because the plan does not include it. */
export function isForbidden(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 403;
}

/** A 404: no such domain, or nothing with that name or id in it. */
export function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 404;
}

/** A 429: over the endpoint's rate limit. */
export function isRateLimited(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 429;
}
