import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import { ApiError, type ErrorStatus } from "../http/api-error.js";
import type { Clock } from "../clock.js";
import type { ApiEnv } from "../context.js";
import { endpointPath } from "../http/endpoint-path.js";
import { endpointNames } from "./fault.js";
import type { FaultQueue } from "./faults.js";

const RETRY_AFTER_SECONDS = 60;

/** Lets happen to a call what was asked for its endpoint. A call that has none pays for one look at an empty list. */
export function befall(faults: FaultQueue, version: "v3" | "v4", clock: Clock): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (faults.list().length === 0) return next();
    const path = endpointPath(c).replace(`/${version}`, "");
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const fault = faults.take(endpointNames(version, method, path));
    if (!fault) return next();
    switch (fault.kind) {
      case "refuse":
        if (fault.status === 429) showUsedUp(c, fault.retryAfter ?? RETRY_AFTER_SECONDS, clock);
        throw new ApiError(fault.status, reasons[fault.status]);
      case "delay":
        await sleep(fault.milliseconds);
        return next();
      case "malformed":
        await next();
        // An answer without a body has none to be malformed.
        if (c.res.body !== null) c.res = new Response('{"half of an answ', c.res);
        return undefined;
      case "cut":
        if (fault.when === "after") await next();
        return cut(c);
    }
  };
}

const reasons: Readonly<Record<403 | 429 | 500, string> & Partial<Record<ErrorStatus, string>>> = {
  403: "A fault was asked for: this call is forbidden.",
  429: "A fault was asked for: there were too many requests.",
  500: "A fault was asked for: the service failed.",
};

/** The rate limit's headers, as they are with a 429. */
function showUsedUp(c: Context<ApiEnv>, retryAfter: number, clock: Clock): void {
  c.header("X-RateLimit-Remaining", "0");
  c.header("X-RateLimit-Reset", String(Math.ceil(clock.now() / 1_000) + retryAfter));
  c.header("Retry-After", String(retryAfter));
}

/** Ends the connection without an answer. In process, without one, the answer fails instead. */
function cut(c: Context<ApiEnv>): never {
  c.env?.incoming?.socket.destroy();
  throw new ConnectionCut();
}

/** A connection that was to break; nothing is wrong with the service. */
export class ConnectionCut extends Error {}
