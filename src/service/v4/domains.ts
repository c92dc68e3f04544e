import { Hono } from "hono";
import { domainListQuery } from "../../api/contract/v4/domains.js";
import { PATHS } from "../../api/contract/v4/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { readQuery } from "../request.js";
import { parse } from "../validate.js";
import { domainV4 } from "./wire.js";

export function domainRoutes({ store }: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get(PATHS.domains, (c) => {
      const { order, limit, page, ...filter } = parse(domainListQuery, readQuery(c.req));
      const { domains, total } = store.domains.list(
        c.get("account").id,
        {
          query: filter.query,
          forwardingReady: filter.forwarding_ready,
          sendReady: filter.send_ready,
          whitelabel: orNull(filter.whitelabel),
          routingEngine: orNull(filter.routing_engine),
        },
        { order, limit, offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER) },
      );
      return c.json({ domains: domains.map(domainV4), total, limit, page });
    })
    .get(PATHS.domain, (c) => c.json({ domain: domainV4(c.get("domain")) }));
}

/** The query's `null` asks for domains that have none. */
function orNull<Value extends string>(value: Value | undefined): Exclude<Value, "null"> | null | undefined;
function orNull(value: string | undefined): string | null | undefined {
  return value === "null" ? null : value;
}
