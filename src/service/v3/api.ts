import { setImmediate as nextTurn } from "node:timers/promises";
import { type Context, Hono } from "hono";
import type { ApiEnv, ServiceContext } from "../context.js";
import { aliasBatchRoutes } from "../v4/alias-batches.js";
import { ruleBatchRoutes } from "../v4/rule-batches.js";
import { aliasBulkRoutes } from "./alias-bulk.js";
import { aliasRoutes } from "./aliases.js";
import { ruleBulkRoutes } from "./rule-bulk.js";
import { ruleRoutes } from "./rules.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { sendEmail } from "../outbound/send.js";
import { readJsonObject, readQuery } from "../http/request.js";
import { refuseLocked, requirePaidPlan } from "../account/plan.js";
import { addTemplate, changeTemplate, deleteTemplate, findTemplate } from "../templates/operations.js";
import { templateSummaryV4, templateV4 } from "../v4/wire.js";
import type { CredentialV3 } from "../../api/contract/v3/credentials.js";
import { credentialListQuery } from "../../api/contract/v4/credentials.js";
import { addCredential, changePassword, CREDENTIALS_PER_DOMAIN, deleteCredential } from "../credentials/operations.js";
import type { CredentialRecord } from "../store/credentials.js";
import { parse } from "../http/validate.js";
import { logListQuery, logSearchQuery } from "../../api/contract/v3/logs.js";
import { logFilterQuery, type LogStatus } from "../../api/contract/v4/logs.js";
import { notFound } from "../http/api-error.js";
import { aliasAddresses } from "../logs/alias-addresses.js";
import { isLogId, positionOf } from "../logs/cursor.js";
import { logFilter } from "../logs/filter.js";
import type { LogFilter } from "../store/log-filter.js";
import type { LogEntryRecord } from "../store/log-rows.js";
import { logEntryV3 } from "./log-entry.js";
import { domainToUnicode } from "node:url";
import { domainChangesSchema, domainListQuery, type DomainV3 } from "../../api/contract/v3/domains.js";
import { ALIASES_SHOWN, REQUESTS_PER_MINUTE } from "../../api/limits.js";
import { checkDns } from "../dns/check.js";
import { DKIM_SELECTOR } from "../dns/expected.js";
import { addDomain, changeDomain, deleteDomain } from "../domains/operations.js";
import type { AccountRecord } from "../store/accounts.js";
import type { DomainRecord } from "../store/domains.js";
import type { Store } from "../store/store.js";
import type { AccountV3 } from "../../api/contract/v3/account.js";

/** All endpoints of version 3, by resource. Paths are below `/v3`. */
export function apiV3(context: ServiceContext): Hono<ApiEnv> {
  const api = new Hono<ApiEnv>();
  for (const routes of [
    accountRoutes,
    domainRoutes,
    credentialRoutes,
    // Fixed paths first: an alias named batch can be reached by its id.
    aliasBatchRoutes,
    aliasBulkRoutes,
    aliasRoutes,
    ruleBatchRoutes,
    ruleBulkRoutes,
    ruleRoutes,
    logRoutes,
    emailRoutes,
    templateRoutes,
  ]) {
    api.route("/", routes(context));
  }
  return api;
}

/** Sending as in version 4, "also" with `success` (part 4). */
function emailRoutes(context: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post(PATHS.outboundEmails, async (c) => {
    const accepted = await sendEmail(context, c.get("account"), c.get("domain"), () => readJsonObject(c.req.raw));
    return c.json({ ...accepted, success: true });
  });
}

/** Templates as in version 4, "also" with `success` (part 4). */
function templateRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { templates } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.templates, (c) => {
      return c.json({ templates: templates.list(c.get("domain").id).map(templateSummaryV4), success: true });
    })
    .get(PATHS.template, (c) => {
      const template = findTemplate(context, c.get("domain").id, c.req.param("name"));
      return c.json({ template: templateV4(template), success: true });
    })
    .post(PATHS.templates, async (c) => {
      requirePaidPlan(c.get("account"));
      const template = addTemplate(context, c.get("domain").id, await readJsonObject(c.req.raw));
      return c.json({ template: templateV4(template), success: true });
    })
    .put(PATHS.template, async (c) => {
      const body = await readJsonObject(c.req.raw);
      const template = changeTemplate(context, c.get("domain").id, c.req.param("name"), body);
      return c.json({ template: templateV4(template), success: true });
    })
    .delete(PATHS.template, (c) => {
      deleteTemplate(context, c.get("domain").id, c.req.param("name"));
      return c.json({ success: true });
    });
}

function credentialRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { credentials } = context.store;
  return new Hono<ApiEnv>()
    .get(PATHS.credentials, (c) => {
      requirePaidPlan(c.get("account"));
      // Responses of version 3 do not contain the page number.
      const { limit, page } = parse(credentialListQuery, readQuery(c.req));
      const records = credentials.list(c.get("domain").id, { limit, page });
      return c.json({ credentials: records.map(credentialV3), success: true });
    })
    .post(PATHS.credentials, async (c) => {
      requirePaidPlan(c.get("account"));
      const { credential, isFirst } = await addCredential(context, c.get("domain"), await readJsonObject(c.req.raw));
      return c.json({ credential: credentialV3(credential), requires_new_mx_check: isFirst, success: true });
    })
    .put(PATHS.credential, async (c) => {
      requirePaidPlan(c.get("account"));
      const body = await readJsonObject(c.req.raw);
      const credential = await changePassword(context, c.get("domain"), c.req.param("username"), body);
      return c.json({ credential: credentialV3(credential), success: true });
    })
    .delete(PATHS.credential, (c) => {
      requirePaidPlan(c.get("account"));
      deleteCredential(context, c.get("domain"), c.req.param("username"));
      return c.json({ success: true });
    });
}

function credentialV3({ username, usage, createdAt }: CredentialRecord): CredentialV3 {
  return { username, usage, created: createdAt };
}

/** Entries per page, which the document does not specify. */
const PAGE = 100;
/** Maximum number of found entries that are read before other requests get their turn. */
const SLICE = 1_000;
const SECOND_MS = 1_000;

const bounces: readonly LogStatus[] = ["SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED"];

function logRoutes(context: ServiceContext): Hono<ApiEnv> {
  const { logs } = context.store;

  /** A page, newest first, after the entry that the query names. */
  function answerPage(c: Context<ApiEnv>, filter: LogFilter): Response {
    const domainId = c.get("domain").id;
    const { next_cursor } = parse(logListQuery, readQuery(c.req));
    const from = next_cursor === undefined ? undefined : positionOf(logs, domainId, { next_cursor }, "desc");
    // The cursor's own entry, plus one that shows whether there is more.
    const entries = logs
      .list(domainId, filter, { order: "desc", from, limit: PAGE + 2 })
      .filter(({ id }) => id !== next_cursor);
    const page = entries.slice(0, PAGE);
    const last = entries.length > PAGE ? page.at(-1)?.id : undefined;
    return c.json({ logs: page.map(logEntryV3), next_cursor: last ?? null, success: true });
  }

  return new Hono<ApiEnv>()
    .get(PATHS.logs, (c) => answerPage(c, {}))
    .get(PATHS.logsCount, (c) => {
      const filter = parse(logFilterQuery, readQuery(c.req));
      return c.json({ total: logs.count(c.get("domain").id, logFilter(filter)), success: true });
    })
    .get(PATHS.logsSearch, async (c) => {
      const { filter, text, order, after, before } = parse(logSearchQuery, readQuery(c.req));
      const domainId = c.get("domain").id;
      const found = await context.logSearch.find(domainId, {
        text,
        filter: {
          ...(filter === "failure" && { status: bounces }),
          times: { from: after * SECOND_MS, until: (before + 1) * SECOND_MS },
        },
        horizon: logs.horizon(domainId),
        latest: logs.latest(),
        order: order === "asc" ? "oldest" : "newest",
      });
      const entries: LogEntryRecord[] = [];
      for (let start = 0; start < found.length; start += SLICE) {
        if (start > 0) await nextTurn();
        entries.push(...logs.bySeq(found.slice(start, start + SLICE)));
      }
      return c.json({ logs: entries.map(logEntryV3), success: true });
    })
    .get(PATHS.logsOfAlias, (c) => {
      const domain = c.get("domain");
      const alias = c.req.param("alias");
      // `/logs/:id` is the same path. No other alias has the form of a log id.
      if (!isLogId(alias)) return answerPage(c, { between: aliasAddresses(context.store, domain, alias) });
      const entry = logs.find(domain.id, alias);
      if (!entry) throw notFound("There is no log entry with this id on the domain.");
      return c.json({ ...logEntryV3(entry), success: true });
    });
}

function domainRoutes(context: ServiceContext): Hono<ApiEnv> {
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

function accountRoutes({ store }: ServiceContext): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get(PATHS.account, (c) => c.json({ account: accountV3(c.get("account")), success: true }))
    .get(PATHS.whitelabels, (c) => {
      const { id, profile } = c.get("account");
      const names = new Set([...profile.whitelabels, ...store.domains.whitelabels(id)]);
      return c.json({ whitelabels: [...names].toSorted().map((name) => ({ name })), success: true });
    });
}

function accountV3({ paid, profile }: AccountRecord): AccountV3 {
  const { plan } = profile;
  const perMinute = REQUESTS_PER_MINUTE[paid ? "paid" : "free"];
  return {
    billing_email: profile.billing_email,
    cancels_on: milliseconds(profile.cancels_at),
    card_brand: profile.card_brand,
    company_details: profile.company_details,
    company_name: profile.company_name,
    company_vat: profile.company_vat,
    country: profile.country,
    created: Date.parse(profile.created_at),
    email: profile.email,
    last4: profile.last4,
    limits: {
      aliases: plan.aliases_limit,
      daily_quota: plan.daily_receive_limit,
      daily_send: plan.daily_send_limit,
      domains: plan.domains_limit,
      ratelimit: perMinute,
      redirections: plan.aliases_limit,
      subdomains: plan.domains_limit,
      api: perMinute,
      credentials: paid ? CREDENTIALS_PER_DOMAIN : 0,
      destinations: DESTINATIONS,
    },
    lock_reason: profile.lock_reason,
    locked: typeof profile.locked === "string" ? milliseconds(profile.locked) : null,
    password: true,
    plan: {
      aliases_limit: plan.aliases_limit,
      daily_quota: plan.daily_receive_limit,
      domains_limit: plan.domains_limit,
      display: `${plan.name} - $${plan.price}`,
      kind: paid ? "premium" : "free",
      name: plan.name.toLowerCase(),
      price: plan.price,
      yearly: plan.billing_cycle === "yearly",
    },
    premium: paid,
    privacy_level: profile.privacy_level,
    renew_date: Date.parse(profile.renews_at),
  };
}

/** Maximum number of destinations per alias. It is never enforced, because the length limit is reached first. */
const DESTINATIONS = 100;

function milliseconds(timestamp: string | null): number | null {
  return timestamp === null ? null : Date.parse(timestamp);
}
