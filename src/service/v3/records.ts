import { domainToUnicode } from "node:url";
import type { AccountV3 } from "../../api/contract/v3/account.js";
import type { AliasV3 } from "../../api/contract/v3/aliases.js";
import type { CredentialV3 } from "../../api/contract/v3/credentials.js";
import type { DomainV3 } from "../../api/contract/v3/domains.js";
import type { RuleV3 } from "../../api/contract/v3/rules.js";
import type { LogEntryV3, LogEventV3 } from "../../api/contract/v3/logs.js";
import { ALIASES_SHOWN, REQUESTS_PER_MINUTE } from "../../api/limits.js";
import { CREDENTIALS_PER_DOMAIN } from "../credentials.js";
import { DKIM_SELECTOR } from "../dns/check.js";
import type { AccountRecord } from "../store/accounts.js";
import type { AliasRecord } from "../store/aliases.js";
import type { CredentialRecord } from "../store/credentials.js";
import type { DomainRecord } from "../store/domains.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import type { RuleRecord } from "../store/rules.js";
import type { Store } from "../store/store.js";

/* Records of the store as version 3 shows them (part 2): with times in milliseconds. */

export function accountV3({ paid, profile }: AccountRecord): AccountV3 {
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

export function domainV3(domain: DomainRecord, account: AccountRecord, store: Store): DomainV3 {
  const { rows } = store.aliases.list(domain.id, {}, { order: "name_asc", limit: ALIASES_SHOWN, page: 1 });
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
    aliases: rows.map(aliasV3),
  };
}

export function aliasV3({ id, alias, forward, createdAt }: AliasRecord): AliasV3 {
  return { id, alias, forward, created: createdAt };
}

/** An alias that was just added or updated, which is shown without its time. */
export function changedAliasV3({ id, alias, forward }: AliasRecord): AliasV3 {
  return { forward, alias, id };
}

export function ruleV3({ id, kind, rank, active, createdAt }: RuleRecord): RuleV3 {
  return { id, ...kind, rank, active, created: createdAt };
}

/** Updates and bulk responses show the time in seconds (version 3, part 2). */
export function ruleInSecondsV3(rule: RuleRecord): RuleV3 {
  return { ...ruleV3(rule), created: Math.floor(rule.createdAt / 1_000) };
}

export function credentialV3({ username, usage, createdAt }: CredentialRecord): CredentialV3 {
  return { username, usage, created: createdAt };
}

export function logEntryV3(entry: NewLogEntry): LogEntryV3 {
  return {
    id: entry.id,
    created: entry.createdAt,
    created_raw: entry.createdAt,
    events: entry.events.map(logEventV3),
    forward: entry.forward,
    hostname: entry.hostname,
    messageId: entry.messageId,
    recipient: entry.recipient,
    sender: entry.sender,
    subject: entry.subject,
    transport: entry.transport,
  };
}

export function logEventV3({ code, createdAt, id, local, message, server, status }: LogEventRecord): LogEventV3 {
  return { code, created: createdAt, id, local, message, server, status };
}

/** A handler of version 4 whose answers also have version 3's `success`, after their other members. */
export function withSuccess<Request>(
  handle: (request: Request) => object | undefined | Promise<object | undefined>,
): (request: Request) => Promise<object> {
  return async (request) => ({ ...(await handle(request)), success: true });
}
