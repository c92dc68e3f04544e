import type { Context, MiddlewareHandler } from "hono";
import * as PATHS from "../../api/contract/v4/paths.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../../api/limits.js";
import { ApiError } from "./api-error.js";
import type { ApiEnv } from "../context.js";
import { endpointPath } from "./endpoint-path.js";
import type { RateLimiter, RateState } from "./rate-limiter.js";

/** Sets the headers for unauthenticated requests: the free plan's limit, without counting. */
export function showAnonymousLimit(c: Context, limiter: RateLimiter): void {
  showState(c, limiter.unused(REQUESTS_PER_MINUTE.free));
}

/**
 * Counts each request against its account's limit for the endpoint (part 8), that is, for a method and a path, whatever
 * the path's parameters. Unknown paths share one limit.
 */
export function limitRate(limiter: RateLimiter, enforced: boolean): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    const { id, paid } = c.get("account");
    const path = endpointPath(c);
    // HEAD is handled like GET and counts as it.
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const limit = path.endsWith(PATHS.outboundEmails) ? SENDS_PER_MINUTE : REQUESTS_PER_MINUTE[paid ? "paid" : "free"];
    const state = enforced ? limiter.take(`${id} ${method} ${path}`, limit) : limiter.unused(limit);
    showState(c, state);
    if (state.retryAfter !== undefined) {
      c.header("Retry-After", String(state.retryAfter));
      throw new ApiError(
        429,
        `Too many requests: this endpoint allows ${limit} per minute. Try again in ${state.retryAfter} s.`,
      );
    }
    await next();
  };
}

function showState(c: Context, state: RateState): void {
  c.header("X-RateLimit-Limit", String(state.limit));
  c.header("X-RateLimit-Remaining", String(state.remaining));
  c.header("X-RateLimit-Reset", String(state.reset));
}
