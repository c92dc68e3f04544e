import type { MiddlewareHandler } from "hono";
import { isLoopback } from "../../api/local.js";
import { forbidden } from "./api-error.js";

/**
 * Refuses requests that name another host than this machine: a page elsewhere whose name was made to point here (DNS
 * rebinding) would read captured mails.
 */
export function requireLoopbackHost(): MiddlewareHandler {
  return async (c, next) => {
    const name = (c.req.header("host") ?? "").toLowerCase().replace(/:\d*$/, "");
    if (!isLoopback(name)) {
      throw forbidden("This service answers only to the name of the machine that it runs on, such as localhost.");
    }
    await next();
  };
}
