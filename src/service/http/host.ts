import type { MiddlewareHandler } from "hono";
import { isLoopback } from "../../api/local.js";
import { forbidden } from "./api-error.js";

/**
 * Refuses requests whose host is not this machine. Otherwise another site whose name was made to point here (DNS
 * rebinding) could read captured emails.
 */
export function requireLoopbackHost(): MiddlewareHandler {
  return async (c, next) => {
    const name = (c.req.header("host") ?? "").toLowerCase().replace(/:\d*$/, "");
    if (!isLoopback(name)) {
      throw forbidden("This service only accepts requests for a name of its own machine, such as localhost.");
    }
    await next();
  };
}
