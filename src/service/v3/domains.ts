import { domainToUnicode } from "node:url";
import { Hono } from "hono";
import { domainChangesSchema, domainListQuery, type DomainV3 } from "../../api/contract/v3/domains.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { ALIASES_SHOWN } from "../../api/limits.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { checkDns } from "../dns/check.js";
import { DKIM_SELECTOR } from "../dns/expected.js";
import { addDomain, changeDomain, deleteDomain } from "../domains/operations.js";
import { refuseLocked } from "../account/plan.js";
import { readJsonObject, readQuery } from "../http/request.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import { parse } from "../http/validate.js";

export function domainRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { store, dns } = context;
  return new Hono<ApiEnv>()
    .get(PATHS.domains, (c) => {
      const account = c.get("account");
      const { q, is_active, limit, page } = parse(domainListQuery, readQuery(c.req));
      const { domains, total } = store.domains.list(
        account.id,
        { query: q, forwardingReady: is_active && is_active === "1" },
        { order: "name_asc", limit, page },
      );
      const shown = domains.map((domain) => domainV3(domain, account, store));
      return c.json({ domains: shown, total, limit, page, success: true });
    })
    .post(PATHS.domains, async (c) => {
      const account = c.get("account");
      refuseLocked(account, c.req.method);
      const domain = addDomain(context, account, await readJsonObject(c.req.raw));
      return c.json({ domain: domainV3(domain, account, store), success: true });
    })
    .get(PATHS.domain, (c) => c.json({ domain: domainV3(c.get("domain"), c.get("account"), store), success: true }))
    .put(PATHS.domain, async (c) => {
      const account = c.get("account");
      const body = await readJsonObject(c.req.raw);
      const domain = changeDomain(context, account, c.get("domain").name, domainChangesSchema, body);
      return c.json({ domain: domainV3(domain, account, store), success: true });
    })
    .get(PATHS.domainCheck, async (c) => {
      const records = await checkDns(c.get("domain"), store, dns);
      return c.json({ records, success: records.mx.valid });
    })
    .delete(PATHS.domain, (c) => {
      deleteDomain(context, c.get("domain"));
      return c.json({ success: true });
    });
}

function domainV3(domain: DomainRecord, account: AccountRecord, store: Store): DomainV3 {
  const { aliases } = store.aliases.list(domain.id, {}, { order: "name_asc", limit: ALIASES_SHOWN, page: 1 });
  return {
    active: domain.forwardingReady,
    domain: domain.name,
    display: domainToUnicode(domain.name),
    dkim_selector: DKIM_SELECTOR,
    notification_email: domain.notificationEmail,
    webhook: domain.webhook,
    whitelabel: domain.whitelabel,
    added: domain.createdAt,
    daily_quota: account.profile.plan.daily_receive_limit,
    aliases: aliases.map(({ id, alias, forward, createdAt }) => ({ id, alias, forward, created: createdAt })),
  };
}
