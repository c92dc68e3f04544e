import { Hono } from "hono";
import type { AccountV3 } from "../../api/contract/v3/account.js";
import * as PATHS from "../../api/contract/v3/paths.js";
import { REQUESTS_PER_MINUTE } from "../../api/limits.js";
import type { ApiEnv, ServiceContext } from "../context.js";
import { CREDENTIALS_PER_DOMAIN } from "../credentials/operations.js";
import type { AccountRecord } from "../store/accounts.js";

export function accountRoutes({ store }: ServiceContext): Hono<ApiEnv> {
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
