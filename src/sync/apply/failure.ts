import {
  AbortedError,
  type CallError,
  ContractError,
  isForbidden,
  isNotFound,
  isRateLimited,
  isUnauthorized,
  ServiceError,
  TimeoutError,
  UnreachableError,
} from "../../api/errors.js";
import { CutContentError } from "./cut-content.js";

/** Whether a write may have taken effect although it failed. */
export function isLost(error: unknown): error is CallError {
  if (error instanceof ContractError) return true;
  if (error instanceof ServiceError) return error.status >= 500;
  if (error instanceof UnreachableError || error instanceof TimeoutError || error instanceof AbortedError)
    return error.requestSent;
  return false;
}

/** Whether a request definitely never reached the service because of the network. */
export function isUnreached(error: unknown): error is CallError {
  return (error instanceof UnreachableError || error instanceof TimeoutError) && !error.requestSent;
}

/** Whether a request failed because of the service, whatever it was about. */
export function isServiceFailure(error: unknown): boolean {
  return isLost(error) || isUnreached(error) || isRateLimited(error) || error instanceof CutContentError;
}

/**
 * Whether everything else would fail in the same way: because of the key, the plan, the domain (a 404 of the whole
 * collection), an unreachable service, a lost lock, or a full disk.
 */
export function concernsAll(error: unknown): boolean {
  if (error instanceof ServiceError) {
    const isCollection = error.path.endsWith("/templates");
    return isUnauthorized(error) || isForbidden(error) || (isCollection && isNotFound(error));
  }
  if (error instanceof UnreachableError || error instanceof TimeoutError) return isUnreached(error);
  return !(error instanceof ContractError);
}

/** Whether a 400 may be about the name, or about the number of templates. */
export function mayBeTaken(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.status !== 400) return false;
  const fields = Object.keys(error.fieldErrors);
  return fields.length === 0 || fields.includes("name");
}
