import type { ErrorBody as ErrorBodyV3 } from "../../api/contract/v3/error.js";
import type { ErrorBody } from "../../api/contract/v4/error.js";

/** The statuses of failures that the document has (part 7); the service answers no others. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 429 | 500;

/** Messages by field, in the order in which they are to be shown. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A request that is refused: thrown by whatever finds the reason, answered in one place. */
export class ApiError extends Error {
  constructor(
    readonly status: ErrorStatus,
    message: string,
    readonly errors: FieldErrors = {},
  ) {
    super(message);
  }

  get body(): ErrorBody {
    return {
      message: this.message,
      errors: Object.fromEntries(Object.entries(this.errors).map(([field, messages]) => [field, [...messages]])),
    };
  }

  /** As the version under which the path lies has it. */
  bodyFor(path: string): ErrorBody | ErrorBodyV3 {
    return /^\/v3(\/|$)/.test(path) ? { success: false, ...this.body } : this.body;
  }
}

/** 400 for fields: the message repeats the first field's first (part 7). */
export function invalidFields(errors: FieldErrors): ApiError {
  const [first] = Object.values(errors).flat();
  return new ApiError(400, first ?? "The request is not valid.", errors);
}

export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}

export function notFound(message: string): ApiError {
  return new ApiError(404, message);
}

export function forbidden(message: string): ApiError {
  return new ApiError(403, message);
}

/** All that a client learns of what went wrong in the service itself. */
export const serviceFailure = new ApiError(500, "The service failed.");
