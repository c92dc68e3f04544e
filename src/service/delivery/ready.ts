import type { MiddlewareHandler } from "hono";
import type { ServiceContext } from "../context.js";

/** Paths that show emails: the log, the pages, the tests' inbox. */
const SHOWS_EMAILS = /\/(?:logs|mails?)(?:\/|$)/;

/** Before any response, processes due events. Before a response about emails, waits until their files are written. */
export function readyToAnswer({
  deliveries,
  webhooks,
  filing,
}: Pick<ServiceContext, "deliveries" | "webhooks" | "filing">): MiddlewareHandler {
  return async (c, next) => {
    deliveries.catchUp();
    webhooks.wake();
    if (filing.busy && SHOWS_EMAILS.test(c.req.path)) await filing.settled();
    await next();
  };
}
