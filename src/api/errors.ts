import { LettershopError } from "../errors.js";
import type { RateLimit } from "./calls/rate-limit.js";

/** The request that an error is about. Nothing in it is secret: the key travels in a header. */
export interface RequestFacts {
  readonly method: string;
  /** Below the version: `/domains/example.com/templates/receipt`. */
  readonly path: string;
  /** The whole address, without the query. */
  readonly url: string;
}

/** The base of every error of a call to the service. */
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

/** What the service said when it refused a request. */
export interface Refusal {
  /** The HTTP status: 400 and above; 2xx where version 3 said `success: false` with it. */
  readonly status: number;
  /** The service's own words, else the first field's; the status's name where the answer had none. */
  readonly serviceMessage: string;
  /** For a failed validation, the messages by field; else empty (part 7). */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /** When a 429, or a 503, says to try again. */
  readonly retryAfterSeconds?: number;
  readonly rateLimit?: RateLimit;
}

const hints: Readonly<Record<number, string>> = {
  401: "The API key is missing, mistyped or revoked: see the API section of the account's dashboard.",
};

/**
 * The service refused: it answered with a status of 400 or above, or in version 3 with `success: false` where the
 * document does not have that as data.
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
 * No answer came: the name did not resolve, the connection was refused or could not be secured (then `requestSent` is
 * false), or it broke after the request had begun to leave (then it is true, and the request may have taken effect).
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
        : `${request.url} could not be reached: ${reason}.`,
      request,
      { cause },
    );
  }
}

/** The answer was not complete when the call's time was over. */
export class TimeoutError extends CallError {
  override readonly name = "TimeoutError";
  readonly code = "timeout";

  constructor(
    request: RequestFacts,
    /** Whether any of the request may have reached the service. False is certain. */
    readonly requestSent: boolean,
    readonly timeoutMs: number,
  ) {
    const what = requestSent ? `did not answer ${request.method}` : "could not be reached";
    super(`${request.url} ${what} within ${timeoutMs / 1000} s.`, request);
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

/** The service answered something that its contract does not have. The request may have taken effect. */
export class ContractError extends CallError {
  override readonly name = "ContractError";
  readonly code = "contract";

  constructor(
    request: RequestFacts,
    readonly status: number,
    /** What is wrong with the answer: "it redirects to https://…". */
    readonly problem: string,
    /** The answer's first characters. */
    readonly bodyStart: string,
    hint = `Is ${request.url} the right URL, and is nothing else between it and you?`,
  ) {
    super(`The service's answer to ${request.method} ${request.path} breaks its contract: ${problem}.`, request, {
      hint,
    });
  }
}

/** What is known of a batch that took several requests, one of which failed. Positions are those of the caller's array. */
export interface BatchState<Done> {
  /** What the requests before did, their failed entries included. */
  readonly done: Done;
  /** Positions of which nobody knows: their request may have taken effect. */
  readonly unknown: readonly number[];
  /** Positions to which surely nothing was done. */
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
    const lost = unknown.length === 0 ? "" : `, ${unknown.length} may be done or not`;
    super(`The batch ended early${lost}, ${notDone.length} of its items are not done: ${cause.message}`, { cause });
    this.cause = cause;
    this.done = done;
    this.unknown = unknown;
    this.notDone = notDone;
  }
}

/** A 400 that names the fields it is about. */
export function isInvalid(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 400 && Object.keys(error.fieldErrors).length > 0;
}

/** A 401: missing or invalid credentials. */
export function isUnauthorized(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 401;
}

/** A 403: missing permission, such as a plan that does not include it. */
export function isForbidden(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 403;
}

/** A 404: no such domain, or nothing of that name or id in it. */
export function isNotFound(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 404;
}

/** A 429: over the endpoint's rate limit. */
export function isRateLimited(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 429;
}
