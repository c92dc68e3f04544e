import { Hono } from "hono";
import { domainChangesSchema, domainListQuery } from "../../api/contract/v4/domains.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { checkDns } from "../dns/check.js";
import { addDomain, changeDomain, deleteDomain } from "../domains/operations.js";
import { refuseLocked } from "../account/plan.js";
import { readJsonObject, readQuery } from "../http/request.js";
import { parse } from "../http/validate.js";
import { domainV4 } from "./wire.js";

export function domainRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store, dns } = context;
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
        { order, limit, page },
      );
      return c.json({ domains: domains.map(domainV4), total, limit, page });
    })
    .post(PATHS.domains, async (c) => {
      const account = c.get("account");
      refuseLocked(account, c.req.method);
      const domain = addDomain(context, account, await readJsonObject(c.req.raw));
      return c.json({ domain: domainV4(domain) });
    })
    .get(PATHS.domain, (c) => c.json({ domain: domainV4(c.get("domain")) }))
    .put(PATHS.domain, async (c) => {
      const body = await readJsonObject(c.req.raw);
      const domain = changeDomain(context, c.get("account"), c.get("domain").name, domainChangesSchema, body);
      return c.json({ domain: domainV4(domain) });
    })
    .post(PATHS.domainVerify, async (c) => c.json({ records: await checkDns(c.get("domain"), store, dns) }))
    .delete(PATHS.domain, (c) => {
      deleteDomain(context, c.get("domain"));
      return c.body(null, 204);
    });
}

/** The query's `null` selects domains without a value. */
function orNull<Value extends string>(value: Value | undefined): Exclude<Value, "null"> | null | undefined;
function orNull(value: string | undefined): string | null | undefined {
  return value === "null" ? null : value;
}
