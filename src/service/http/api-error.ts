import type { ErrorBodyV3 } from "../../api/contract/v3/formats.js";
import type { ErrorBody } from "../../api/contract/v4/formats.js";

/** The error statuses in the documents (part 7). The service uses no others. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 429 | 500;

/** Messages by field, in display order. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** A refused request. Thrown wherever the reason is found, and turned into a response in one place. */
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

  /** The body in the form of the version that the path belongs to. */
  bodyFor(path: string): ErrorBody | ErrorBodyV3 {
    return /^\/v3(\/|$)/.test(path) ? { success: false, ...this.body } : this.body;
  }
}

/** 400 for invalid fields: the message repeats the first message of the first field (part 7). */
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

/** The response for unexpected errors of the service, without details. */
export const serviceFailure = new ApiError(500, "The service failed.");
