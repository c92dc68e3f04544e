import type { Plan } from "../../api/contract/v4/account.js";
import { LOCAL_DOMAIN } from "../../api/local.js";
import type { AccountProfile } from "../store/accounts.js";
import { isoSeconds } from "../timestamp.js";
import type { ReadAccount } from "./schema.js";

/** Invented limits, large enough not to get in the way. */
const plans: Readonly<Record<ReadAccount["plan"], Plan>> = {
  free: {
    name: "Free",
    price: 0,
    billing_cycle: "monthly",
    domains_limit: 5,
    aliases_limit: 25,
    rules_limit: 25,
    daily_receive_limit: 100,
    daily_send_limit: 0,
    monthly_receive_limit: 3_000,
    monthly_send_limit: 0,
  },
  paid: {
    name: "Premium",
    price: 9,
    billing_cycle: "monthly",
    domains_limit: 100,
    aliases_limit: 10_000,
    rules_limit: 10_000,
    daily_receive_limit: 100_000,
    daily_send_limit: 1_000_000,
    monthly_receive_limit: 3_000_000,
    monthly_send_limit: 30_000_000,
  },
};

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** The profile of an account of the seed that is added at this time. */
export function profileOf({ plan, limits, locked, profile }: ReadAccount, now: number): AccountProfile {
  return {
    address: "1 Loopback Lane",
    billing_email: null,
    cancels_at: null,
    company_vat: null,
    country: "US",
    email: `owner@${LOCAL_DOMAIN}`,
    email_log_retention_days: 30,
    name: "Local account",
    privacy_level: 0,
    renews_at: isoSeconds(now + YEAR_MS),
    whitelabels: [],
    card_brand: "",
    company_details: "",
    company_name: "",
    last4: "",
    ...profile,
    created_at: isoSeconds(now),
    over_quota: false,
    locked: locked === undefined ? null : isoSeconds(now),
    lock_reason: locked ?? null,
    plan: { ...plans[plan], ...limits },
  };
}
