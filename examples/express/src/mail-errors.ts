import type { ErrorRequestHandler } from "express";
import { InvalidMessageError, RateLimitedError, SendError } from "lettershop/send";

/** The response to a client when an email could not be sent. The errors' messages contain no addresses and no variables. */
export const mailErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof SendError)) return next(error);
  if (error instanceof InvalidMessageError)
    return response.status(400).json({ error: error.code, problems: error.problems });
  if (error instanceof RateLimitedError) response.set("Retry-After", `${Math.ceil(error.expectedWaitMs / 1000)}`);
  // The message may have arrived, and a retry could send it twice.
  if (error.code === "unknown_outcome") return response.status(202).json({ error: error.code });
  return response.status(error.code === "invalid_variables" ? 500 : 503).json({ error: error.code });
};
