import type { MiddlewareHandler } from "hono";
import type { ServiceContext } from "../context.js";

/** What tells of mails: the log, the pages, the tests' inbox. */
const TELLS_OF_MAILS = /\/(?:logs|mails?)(?:\/|$)/;

/** Nothing is answered before what is due has happened, and nothing of a mail before its files are there. */
export function readyToAnswer({
  deliveries,
  webhooks,
  filing,
}: Pick<ServiceContext, "deliveries" | "webhooks" | "filing">): MiddlewareHandler {
  return async (c, next) => {
    deliveries.catchUp();
    webhooks.wake();
    if (filing.busy && TELLS_OF_MAILS.test(c.req.path)) await filing.settled();
    await next();
  };
}
