import { invalidFields } from "./api-error.js";
import { readQuery } from "./request.js";

interface Asked {
  query(): Record<string, string>;
}

/**
 * The guard against an accidental wipe: deleting all has to be asked for by `all=true` (version 4, part 4).
 *
 * @throws ApiError (400) that names it where it is missing or something else.
 */
export function requireAll(request: Asked): void {
  if (readQuery(request)["all"] === "true") return;
  throw invalidFields({ all: ["all is required: ?all=true deletes everything in this list, and cannot be undone"] });
}

/**
 * Version 3 has the same in two forms: with `all=true`, which is answered with a count, and without.
 *
 * @throws ApiError (400) for `all` with another value.
 */
export function asksForCount(request: Asked): boolean {
  if (readQuery(request)["all"] === undefined) return false;
  requireAll(request);
  return true;
}
