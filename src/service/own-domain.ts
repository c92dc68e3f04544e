import type { MiddlewareHandler } from "hono";
import { notFound } from "./api-error.js";
import type { ApiEnv, ServiceContext } from "./context.js";

/** Finds the domain that the path names among the account's: 404 for any other. */
export function ownDomain({ store }: ServiceContext): MiddlewareHandler<ApiEnv, "/domains/:domain"> {
  return async (c, next) => {
    const domain = store.domains.find(c.get("account").id, c.req.param("domain"));
    if (!domain) throw notFound("There is no such domain in this account.");
    c.set("domain", domain);
    await next();
  };
}
