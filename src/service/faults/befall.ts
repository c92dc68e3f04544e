import { setTimeout as sleep } from "node:timers/promises";
import type { Context, MiddlewareHandler } from "hono";
import { ApiError, type ErrorStatus } from "../http/api-error.js";
import type { Clock } from "../clock.js";
import type { ApiEnv } from "../context.js";
import { endpointPath } from "../http/endpoint-path.js";
import { endpointNames } from "./fault.js";
import type { FaultQueue } from "./faults.js";

const RETRY_AFTER_SECONDS = 60;

/** Injects the next fault of a call's endpoint. Costs one lookup in an empty list if there are none. */
export function befall(faults: FaultQueue, version: "v3" | "v4", clock: Clock): MiddlewareHandler<ApiEnv> {
  return async (c, next) => {
    if (faults.list().length === 0) return next();
    const path = endpointPath(c).replace(`/${version}`, "");
    const method = c.req.method === "HEAD" ? "GET" : c.req.method;
    const fault = faults.take(endpointNames(version, method, path));
    if (!fault) return next();
    switch (fault.kind) {
      case "refuse":
        if (fault.status === 429) setExhaustedHeaders(c, fault.retryAfter ?? RETRY_AFTER_SECONDS, clock);
        throw new ApiError(fault.status, reasons[fault.status]);
      case "delay":
        await sleep(fault.milliseconds);
        return next();
      case "malformed":
        await next();
        // A response without a body cannot be malformed.
        if (c.res.body !== null) c.res = new Response('{"half of an answ', c.res);
        return undefined;
      case "cut":
        if (fault.when === "after") await next();
        return cut(c);
    }
  };
}

const reasons: Readonly<Record<403 | 429 | 500, string> & Partial<Record<ErrorStatus, string>>> = {
  403: "Injected fault: this call is forbidden.",
  429: "Injected fault: too many requests.",
  500: "Injected fault: the service failed.",
};

/** Sets the rate limit's headers as for a 429. */
function setExhaustedHeaders(c: Context<ApiEnv>, retryAfter: number, clock: Clock): void {
  c.header("X-RateLimit-Remaining", "0");
  c.header("X-RateLimit-Reset", String(Math.ceil(clock.now() / 1_000) + retryAfter));
  c.header("Retry-After", String(retryAfter));
}

/** Closes the connection without a response. Without a connection, in process, it throws instead. */
function cut(c: Context<ApiEnv>): never {
  c.env?.incoming?.socket.destroy();
  throw new ConnectionCut();
}

/** Thrown to cut a connection. It does not indicate an error of the service. */
export class ConnectionCut extends Error {}
