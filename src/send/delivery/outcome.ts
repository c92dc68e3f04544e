import { AbortedError, ContractError, ServiceError, TimeoutError, UnreachableError } from "../../api/errors.js";
import { RejectedError } from "../errors.js";

/** The result of a request that was not accepted. */
export type Failed =
  /** The service refused it. */
  | { readonly outcome: "rejected"; readonly error: RejectedError }
  /** The service accepts no more for now. */
  | { readonly outcome: "held"; readonly waitMs: number; readonly cause: ServiceError }
  /** It definitely did not reach the service. */
  | { readonly outcome: "not sent"; readonly reason: string; readonly cause: unknown }
  /** The caller's signal ended it before anything left. */
  | { readonly outcome: "aborted" }
  /** It may have reached the service. */
  | { readonly outcome: "unknown"; readonly reason: string; readonly cause: unknown };

/** The delay for a 429 that doesn't give one: the service counts by the minute. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Statuses from proxies that waited for the rest of a request or gave up on an answer: request timeout, and what load
 * balancers log when a client disconnects. The service may have received the request.
 */
const SAYS_NOTHING = new Set([408, 460, 499]);

/** @param left Whether the request may have been made when it failed with an error that is not from the client. */
export function outcomeOf(error: unknown, left: boolean): Failed {
  if (error instanceof ServiceError) return outcomeOfRefusal(error);
  if (error instanceof AbortedError && !error.requestSent) return { outcome: "aborted" };
  if (isNotAnswered(error) ? !error.requestSent : !left)
    return { outcome: "not sent", reason: reasonNotSent(error), cause: error };
  return { outcome: "unknown", reason: reasonUnknown(error), cause: error };
}

function outcomeOfRefusal(error: ServiceError): Failed {
  const { status, serviceMessage, fieldErrors, hint, retryAfterSeconds = RETRY_AFTER_SECONDS } = error;
  if (status === 429) return { outcome: "held", waitMs: Math.max(1, retryAfterSeconds) * 1000, cause: error };
  if (status >= 500 || SAYS_NOTHING.has(status))
    return { outcome: "unknown", reason: `the service answered ${status}`, cause: error };
  const options = { cause: error, ...(hint === undefined ? {} : { hint }) };
  return { outcome: "rejected", error: new RejectedError(status, serviceMessage, fieldErrors, options) };
}

type NotAnswered = AbortedError | TimeoutError | UnreachableError;

function isNotAnswered(error: unknown): error is NotAnswered {
  return error instanceof AbortedError || error instanceof TimeoutError || error instanceof UnreachableError;
}

function reasonNotSent(error: unknown): string {
  if (error instanceof TimeoutError) return `there was no connection to the service within ${error.timeoutMs / 1000} s`;
  return "the service could not be reached";
}

function reasonUnknown(error: unknown): string {
  if (error instanceof TimeoutError) return `the service did not answer within ${error.timeoutMs / 1000} s`;
  if (error instanceof AbortedError) return "it was aborted while the request was in progress";
  if (error instanceof UnreachableError) return "the connection broke before the answer was complete";
  if (error instanceof ContractError)
    return `the service's answer (${error.status}) could not be read: ${error.problem}`;
  return "the service's answer could not be read";
}

/** Whether a failed request was still answered by a working service, so that there is no outage. */
export function wasAnswered(error: unknown): boolean {
  return error instanceof ServiceError ? error.status < 500 : error instanceof ContractError && error.status < 300;
}
