import { Hono } from "hono";
import type { ApiEnv, ServiceContext } from "../context.js";
import { aliasBatchRoutes } from "./alias-batches.js";
import { aliasRoutes } from "./aliases.js";
import { ruleBatchRoutes } from "./rule-batches.js";
import { ruleRoutes } from "./rules.js";
import * as PATHS from "../../api/contract/v4/paths.js";
import { sendEmail } from "../outbound/send.js";
import { readJsonObject, readQuery } from "../http/request.js";
import { type Account, accountSchema } from "../../api/contract/v4/account.js";
import { isOverQuota } from "../account/quota.js";
import type { AccountRecord } from "../store/accounts.js";
import { refuseLocked, requirePaidPlan } from "../account/plan.js";
import { addTemplate, changeTemplate, deleteTemplate, findTemplate } from "../templates/operations.js";
import { domainV4, logEntryV4, templateSummaryV4, templateV4 } from "./wire.js";
import { type Credential, credentialListQuery } from "../../api/contract/v4/credentials.js";
import { addCredential, changePassword, deleteCredential } from "../credentials/operations.js";
import type { CredentialRecord } from "../store/credentials.js";
import { isoSeconds } from "../timestamp.js";
import { parse } from "../http/validate.js";
import { domainChangesSchema, domainListQuery } from "../../api/contract/v4/domains.js";
import { checkDns } from "../dns/check.js";
import { addDomain, changeDomain, deleteDomain } from "../domains/operations.js";
import { logFilterQuery, logListQuery, logSearchQuery } from "../../api/contract/v4/logs.js";
import { notFound } from "../http/api-error.js";
import { positionOf } from "../logs/cursor.js";
import { logFilter } from "../logs/filter.js";

/** All endpoints of version 4, by resource. Paths are below `/v4`. */
export function apiV4(context: ServiceContext): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  for (const routes of [
    accountRoutes,
    domainRoutes,
    credentialRoutes,
    templateRoutes,
    emailRoutes,
    logRoutes,
    aliasBatchRoutes,
    aliasRoutes,
    ruleBatchRoutes,
    ruleRoutes,
  ]) {
    api.route("/", routes(context));
  }
  return api;
}

function emailRoutes(context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post(PATHS.outboundEmails, async (c) =>
    c.json(await sendEmail(context, c.get("account"), c.get("domain"), () => readJsonObject(c.req.raw))),
  );
}

function accountRoutes(context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get(PATHS.account, (c) => {
    const account = c.get("account");
    return c.json({ account: accountV4(account, isOverQuota(context, account)) });
  });
}

function accountV4({ profile }: AccountRecord, overQuota: boolean): Account {
  // Removes members that only version 3 shows.
  return accountSchema.parse({ ...profile, over_quota: overQuota });
}

function templateRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { templates } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.templates, (c) => c.json({ templates: templates.list(c.get("domain").id).map(templateSummaryV4) }))
    .get(PATHS.template, (c) => {
      return c.json({ template: templateV4(findTemplate(context, c.get("domain").id, c.req.param("name"))) });
    })
    .post(PATHS.templates, async (c) => {
      requirePaidPlan(c.get("account"));
      const template = addTemplate(context, c.get("domain").id, await readJsonObject(c.req.raw));
      return c.json({ template: templateV4(template) });
    })
    .put(PATHS.template, async (c) => {
      const body = await readJsonObject(c.req.raw);
      return c.json({ template: templateV4(changeTemplate(context, c.get("domain").id, c.req.param("name"), body)) });
    })
    .delete(PATHS.template, (c) => {
      deleteTemplate(context, c.get("domain").id, c.req.param("name"));
      return c.body(null, 204);
    });
}

function credentialRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { credentials } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.credentials, (c) => {
      requirePaidPlan(c.get("account"));
      const { id } = c.get("domain");
      const { limit, page } = parse(credentialListQuery, readQuery(c.req));
      const records = credentials.list(id, { limit, page });
      return c.json({ credentials: records.map(credentialV4), limit, page, total: credentials.count(id) });
    })
    .post(PATHS.credentials, async (c) => {
      requirePaidPlan(c.get("account"));
      const { credential, isFirst } = await addCredential(context, c.get("domain"), await readJsonObject(c.req.raw));
      return c.json({ credential: credentialV4(credential), requires_new_mx_check: isFirst });
    })
    .put(PATHS.credential, async (c) => {
      requirePaidPlan(c.get("account"));
      const body = await readJsonObject(c.req.raw);
      const credential = await changePassword(context, c.get("domain"), c.req.param("username"), body);
      return c.json({ credential: credentialV4(credential) });
    })
    .delete(PATHS.credential, (c) => {
      requirePaidPlan(c.get("account"));
      deleteCredential(context, c.get("domain"), c.req.param("username"));
      return c.body(null, 204);
    });
}

function credentialV4({ username, usage, createdAt }: CredentialRecord): Credential {
  return { username, usage, created_at: isoSeconds(createdAt) };
}

function domainRoutes(context: ServiceContext): Hono<ApiEnv> {
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

const orders = { relevance: "relevance", created_desc: "newest", created_asc: "oldest" } as const;

function logRoutes({ store, logSearch }: ServiceContext): Hono<ApiEnv> {
  const { logs } = store;
  return new Hono<ApiEnv>()
    .get(PATHS.logs, (c) => {
      const domainId = c.get("domain").id;
      const { order, limit, cursor, ...filter } = parse(logListQuery, readQuery(c.req));
      const direction = order === "created_asc" ? "asc" : "desc";
      // A page starts at its cursor, inclusive, so the entry after the page is the next cursor.
      const result = logs.list(domainId, logFilter(filter), {
        order: direction,
        from: cursor === undefined ? undefined : positionOf(logs, domainId, { cursor }, direction),
        limit: limit + 1,
      });
      return c.json({
        logs: result.slice(0, limit).map(logEntryV4),
        limit,
        cursor: cursor ?? null,
        next_cursor: result[limit]?.id ?? null,
      });
    })
    .get(PATHS.logsCount, (c) => {
      const filter = parse(logFilterQuery, readQuery(c.req));
      return c.json({ total: logs.count(c.get("domain").id, logFilter(filter)) });
    })
    .get(PATHS.logsSearch, async (c) => {
      const domainId = c.get("domain").id;
      const { query, order, limit, offset, ...filter } = parse(logSearchQuery, readQuery(c.req));
      const found = await logSearch.find(domainId, {
        words: query,
        filter: logFilter(filter),
        horizon: logs.horizon(domainId),
        latest: logs.latest(),
        order: orders[order],
      });
      const next = offset + limit;
      return c.json({
        logs: logs.bySeq(found.slice(offset, next)).map(logEntryV4),
        limit,
        offset,
        total: found.length,
        next_offset: next < found.length ? next : null,
      });
    })
    .get(PATHS.log, (c) => {
      const entry = logs.find(c.get("domain").id, c.req.param("id"));
      if (!entry) throw notFound("There is no log entry with this id on the domain.");
      return c.json(logEntryV4(entry));
    });
}
