import { invalidFields } from "./api-error.js";
import { readQuery } from "./request.js";

interface QueryRequest {
  query(): Record<string, string>;
}

/**
 * The guard against accidental wipes: deleting everything requires `all=true` (version 4, part 4).
 *
 * @throws ApiError (400) that names `all` if it is missing or has another value.
 */
export function requireAll(request: QueryRequest): void {
  if (readQuery(request)["all"] === "true") return;
  throw invalidFields({ all: ["all is required: ?all=true deletes everything in this list, and cannot be undone"] });
}

/**
 * Version 3 has two forms: with `all=true`, which responds with a count, and without.
 *
 * @throws ApiError (400) for `all` with another value.
 */
export function asksForCount(request: QueryRequest): boolean {
  if (readQuery(request)["all"] === undefined) return false;
  requireAll(request);
  return true;
}
