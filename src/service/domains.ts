import type { MiddlewareHandler } from "hono";
import type { z } from "zod";
import type { domainChangesSchema as changesV3 } from "../api/contract/v3/domains.js";
import { type Domain, domainChangesSchema, newDomainSchema } from "../api/contract/v4/domains.js";
import { refuseLocked, refuseOverLimit } from "./account.js";
import type { ApiEnv, ServiceContext } from "./context.js";
import { checkDns } from "./dns/check.js";
import type { HandlersV4 } from "./endpoints.js";
import { type ApiError, invalidFields, notFound } from "./http/api-error.js";
import { check, Problems } from "./http/validate.js";
import { isoSeconds } from "./ids.js";
import { isWebAddress, parseAddress } from "./address.js";
import type { AccountRecord } from "./store/accounts.js";
import { domainKey, type DomainRecord, type DomainSettings } from "./store/domains.js";
import type { Store } from "./store/store.js";

const NAME_MAX = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A domain name as it is stored, in lower case and ASCII. Undefined for anything else: a bare host, an IP address, a
 * name with a port, an email address.
 */
export function readDomainName(text: string): string | undefined {
  // Characters with a meaning in URLs would be cut off or decoded rather than refused.
  if (/[\s[\]:/?#@\\%]/u.test(text)) return undefined;
  const name = domainKey(text);
  const labels = name.split(".");
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? "");
  return isName && name.length <= NAME_MAX ? name : undefined;
}

const unknownDomain = notFound("There is no such domain in this account.");

/**
 * Sets the domain that the path names. Responds with 404 for a domain of another account, then with 403 to changes by a
 * locked account.
 */
export function ownDomain({ store }: ServiceContext): MiddlewareHandler<ApiEnv, "/domains/:domain"> {
  return async (c, next) => {
    const account = c.get("account");
    c.set("domain", findOwnDomain(store, account, c.req.param("domain")));
    refuseLocked(account, c.req.method);
    await next();
  };
}

/** @throws ApiError (404) if the account has no domain of this name. */
export function findOwnDomain(store: Store, account: AccountRecord, name: string): DomainRecord {
  const domain = store.domains.find(account.id, name);
  if (!domain) throw unknownDomain;
  return domain;
}

/**
 * The refusal for a request whose domain was deleted meanwhile: the database rejects rows without a domain. Undefined
 * for any other error.
 */
export function refusalOfDeletedDomain(error: Error): ApiError | undefined {
  const SQLITE_CONSTRAINT_FOREIGNKEY = 787;
  return "errcode" in error && error.errcode === SQLITE_CONSTRAINT_FOREIGNKEY ? unknownDomain : undefined;
}

const WEBHOOK_MAX = 2_048;

/**
 * Reads the name and the settings of a new domain.
 *
 * @throws ApiError (400) with every problem of the body.
 */
export function readNewDomain(body: Record<string, unknown>): { name: string; settings: DomainSettings } {
  const problems = new Problems();
  const fields = check(newDomainSchema, body, problems);
  const name = fields && readDomainName(fields.domain);
  if (fields && name === undefined) problems.add("domain", "domain must be a full domain name, such as example.com");
  const settings = fields && readSettings(fields, problems);
  if (settings === undefined || name === undefined || problems.found) throw invalidFields(problems.errors);
  return { name, settings };
}

/**
 * Reads changes to a domain. The body may contain its current name, but no other name.
 *
 * @throws ApiError (400) with every problem of the body.
 */
export function readDomainChanges(
  schema: typeof changesV3 | typeof domainChangesSchema,
  body: Record<string, unknown>,
  name: string,
): DomainSettings {
  const problems = new Problems();
  const fields = check(schema, body, problems);
  const { domain = name } = body;
  if (typeof domain !== "string" || readDomainName(domain) !== name) {
    problems.add("domain", "domain cannot be changed: add the other domain, and delete this one");
  }
  const settings = fields && readSettings(fields, problems);
  if (settings === undefined || problems.found) throw invalidFields(problems.errors);
  return settings;
}

function readSettings(fields: z.output<typeof changesV3>, problems: Problems): DomainSettings {
  const { notification_email: notificationEmail, whitelabel, webhook } = fields;
  if (notificationEmail && parseAddress(notificationEmail)?.email !== notificationEmail) {
    problems.add("notification_email", "notification_email must be an email address, or null for the account's");
  }
  const parent = whitelabel ? readDomainName(whitelabel) : null;
  if (parent === undefined) problems.add("whitelabel", "whitelabel must be a full domain name, or null for none");
  const refusal = webhook ? webhookRefusal(webhook) : undefined;
  if (refusal !== undefined) problems.add("webhook", `webhook ${refusal}`);
  return {
    notificationEmail: emptyAsNull(notificationEmail),
    whitelabel: whitelabel === undefined ? undefined : parent,
    webhook: emptyAsNull(webhook),
  };
}

/** An empty string removes a setting, as null does. */
function emptyAsNull(text: string | null | undefined): string | null | undefined {
  return text === "" ? null : text;
}

/** Why a URL is not a valid webhook, as text that follows the field's name. Undefined if it is valid. */
export function webhookRefusal(webhook: string): string | undefined {
  if (webhook.length <= WEBHOOK_MAX && isWebAddress(webhook)) return undefined;
  return `must be an http or https URL of at most ${WEBHOOK_MAX} characters`;
}

/**
 * Adds a domain. It is ready after its DNS was checked, or at once if every domain is treated as set up.
 *
 * @throws ApiError (400) for an invalid body, a name that is taken, or more domains than the plan allows.
 */
export function addDomain(
  { store, clock, dns }: ServiceContext,
  account: AccountRecord,
  body: Record<string, unknown>,
): DomainRecord {
  const { name, settings } = readNewDomain(body);
  const ready = dns === "ready";
  return store.transaction(() => {
    const domain = store.domains.create(account.id, name, { forwarding: ready, sending: ready }, settings, clock.now());
    if (!domain) throw invalidFields({ domain: ["domain is already added, to this account or another"] });
    refuseOverLimit(account, "domains_limit", store.domains.count(account.id) - 1);
    return domain;
  });
}

/**
 * Changes the settings of a domain that are in the body.
 *
 * @throws ApiError: 400 for an invalid body, 404 if the domain was deleted meanwhile.
 */
export function changeDomain(
  { store, clock }: ServiceContext,
  account: AccountRecord,
  name: string,
  schema: typeof changesV3 | typeof domainChangesSchema,
  body: Record<string, unknown>,
): DomainRecord {
  const settings = readDomainChanges(schema, body, name);
  return store.domains.update(findOwnDomain(store, account, name), settings, clock.now());
}

/** Version 4's endpoints. */
export function domainHandlers(context: ServiceContext): HandlersV4<"domains"> {
  const { store, dns, filing } = context;
  return {
    "domains.list": ({ account, query }) => {
      const { order, limit, page, ...filter } = query();
      const { rows, total } = store.domains.list(
        account.id,
        {
          query: filter.query,
          forwardingReady: filter.forwarding_ready,
          sendReady: filter.send_ready,
          whitelabel: orNull(filter.whitelabel),
          routingEngine: orNull(filter.routing_engine),
        },
        { order, limit, page },
      );
      return { domains: rows.map(domainV4), total, limit, page };
    },
    "domains.create": async ({ account, body }) => {
      refuseLocked(account, "POST");
      return { domain: domainV4(addDomain(context, account, await body())) };
    },
    "domains.get": ({ domain }) => ({ domain: domainV4(domain) }),
    "domains.update": async ({ account, domain, body }) => ({
      domain: domainV4(changeDomain(context, account, domain.name, domainChangesSchema, await body())),
    }),
    "domains.verify": async ({ domain }) => ({ records: await checkDns(domain, store, dns) }),
    "domains.delete": async ({ domain }) => {
      const files = store.mails.filesOfDomain(domain.id);
      // With its templates, aliases, rules, credentials, log entries and captured emails.
      store.domains.delete(domain.id);
      await filing.forget(files);
      return undefined;
    },
  };
}

/** The query's `null` selects domains without a value. */
function orNull<Value extends string>(value: Value | undefined): Exclude<Value, "null"> | null | undefined;
function orNull(value: string | undefined): string | null | undefined {
  return value === "null" ? null : value;
}

function domainV4(domain: DomainRecord): Domain {
  return {
    domain: domain.name,
    forwarding_ready: domain.forwardingReady,
    send_ready: domain.sendReady,
    banned: domain.banned,
    notification_email: domain.notificationEmail,
    notify_when_spam_blocked: domain.notifyWhenSpamBlocked,
    routing_engine: domain.routingEngine,
    rules_fallback_email: domain.rulesFallbackEmail,
    strict_mxes: domain.strictMxes,
    whitelabel: domain.whitelabel,
    created_at: isoSeconds(domain.createdAt),
    updated_at: isoSeconds(domain.updatedAt),
  };
}
