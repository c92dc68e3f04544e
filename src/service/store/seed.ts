import { LOCAL_API_KEY, LOCAL_DOMAIN } from "../../api/local.js";
import type { Account, Plan } from "../../api/contract/v4/account.js";
import { isoSeconds } from "../timestamp.js";
import type { AccountStore } from "./accounts.js";
import type { DomainStore } from "./domains.js";

/** What a data folder holds before anything was written to it. */
export interface Seed {
  readonly apiKey: string;
  readonly plan: "free" | "paid";
  readonly domains: readonly [SeedDomain, ...SeedDomain[]];
}

export interface SeedDomain {
  readonly name: string;
  /** Whether its DNS is set up for sending. */
  readonly sendReady: boolean;
}

/** The account that needs no set-up: paid, one domain, ready to send. */
export const defaultSeed: Seed = {
  apiKey: LOCAL_API_KEY,
  plan: "paid",
  domains: [{ name: LOCAL_DOMAIN, sendReady: true }],
};

/** Adds what is not there yet; what is there stays as it is. */
export function plant(
  seed: Seed,
  stores: { readonly accounts: AccountStore; readonly domains: DomainStore },
  now: number,
): void {
  const { accounts, domains } = stores;
  const accountId =
    accounts.findByKey(seed.apiKey)?.id ?? accounts.create(seed.apiKey, seed.plan === "paid", profile(seed.plan, now));
  for (const { name, sendReady } of seed.domains) {
    domains.create(accountId, name, { forwarding: sendReady, sending: sendReady }, now);
  }
}

const plans: Readonly<Record<Seed["plan"], Plan>> = {
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
    daily_send_limit: 10_000,
    monthly_receive_limit: 3_000_000,
    monthly_send_limit: 300_000,
  },
};

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

function profile(plan: Seed["plan"], now: number): Account {
  return {
    address: "1 Loopback Lane",
    billing_email: null,
    cancels_at: null,
    company_vat: null,
    country: "US",
    created_at: isoSeconds(now),
    email: `owner@${LOCAL_DOMAIN}`,
    email_log_retention_days: 30,
    lock_reason: null,
    locked: null,
    name: "Local account",
    over_quota: false,
    plan: plans[plan],
    privacy_level: 0,
    renews_at: isoSeconds(now + YEAR_MS),
  };
}
