import { type CallError, ContractError, ServiceError, TimeoutError, UnreachableError } from "../../api/errors.js";

/** Whether reading the log may succeed a little later. */
export function isPassing(error: unknown): error is CallError {
  if (error instanceof ServiceError) return error.status === 429 || error.status >= 500;
  return error instanceof UnreachableError || error instanceof TimeoutError || error instanceof ContractError;
}
