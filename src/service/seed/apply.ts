import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../../api/contract/v4/account.js";
import { ruleKindSchema } from "../../api/contract/v4/rules.js";
import { LOCAL_DOMAIN, LOCAL_WEBHOOK_SECRET } from "../../api/local.js";
import { refuseOverLimit } from "../account.js";
import { addAlias } from "../aliases.js";
import type { ServiceContext } from "../context.js";
import { hashPassword, matchesPassword } from "../credentials.js";
import { SeedError } from "../errors.js";
import { ApiError } from "../http/api-error.js";
import { isoSeconds } from "../ids.js";
import { addRule } from "../rules.js";
import type { AccountProfile, AccountRecord } from "../store/accounts.js";
import type { DomainRecord, DomainSettings, DomainTraits } from "../store/domains.js";
import { ALL } from "../store/page.js";
import type { Store } from "../store/store.js";
import type { TemplateColumns } from "../store/templates.js";
import type { ReadAccount, ReadDomain } from "./schema.js";

/**
 * Adds everything that does not exist yet, or nothing if that fails. Existing data stays unchanged.
 *
 * @returns What differs from the seed and was left unchanged, one sentence each.
 * @throws SeedError for more than an account's plan allows.
 */
export async function applySeed(accounts: readonly ReadAccount[], context: ServiceContext): Promise<string[]> {
  const passwords = await hashPasswords(accounts, context.store);
  return context.store.transaction(() => accounts.flatMap((account) => plantAccount(account, passwords, context)));
}

function plantAccount(seed: ReadAccount, passwords: HashedPasswords, context: ServiceContext): string[] {
  const { accounts } = context.store;
  const wanted = profileOf(seed, context.clock.now());
  const paid = seed.plan === "paid";
  const existing = accounts.findByKey(seed.apiKey);
  const account = existing ?? accounts.create(seed.apiKey, paid, wanted);
  const differs = account.paid !== paid || !isDeepStrictEqual(timeless(account.profile), timeless(wanted));
  return [
    ...(differs ? [`The account "${account.profile.name}" differs from the seed and was left unchanged.`] : []),
    ...seed.domains.flatMap((domain) => plantDomain(domain, account, passwords, context)),
  ];
}

function plantDomain(
  seed: ReadDomain,
  account: AccountRecord,
  passwords: HashedPasswords,
  context: ServiceContext,
): string[] {
  const { store, clock } = context;
  const { name, sendReady, forwardingReady = sendReady } = seed;
  const settings = settingsOf(seed);
  const existing = store.domains.find(account.id, name);
  try {
    if (!existing) refuseOverLimit(account, "domains_limit", store.domains.count(account.id));
    const ready = { forwarding: forwardingReady, sending: sendReady };
    const domain = existing ?? store.domains.create(account.id, name, ready, settings, clock.now());
    if (!domain) return [`The domain ${name} belongs to another account, so nothing was added to it.`];
    return [
      ...(hasMembers(domain, settings)
        ? []
        : [`The settings of ${name} differ from the seed and were left unchanged.`]),
      ...fillDomain(seed, domain, account, passwords, context),
    ];
  } catch (error) {
    if (error instanceof ApiError) throw new SeedError([`The domain ${name}: ${error.message}`]);
    throw error;
  }
}

/** Without members that depend on the time of creation. */
function timeless(profile: AccountProfile): object {
  return { ...profile, created_at: undefined, renews_at: undefined, locked: profile.locked !== null };
}

function settingsOf(seed: ReadDomain): DomainSettings & DomainTraits {
  const { notificationEmail, whitelabel, webhook, routingEngine, rulesFallbackEmail } = seed;
  const { banned, strictMxes, notifyWhenSpamBlocked } = seed;
  return {
    notificationEmail,
    whitelabel,
    webhook,
    routingEngine,
    rulesFallbackEmail,
    banned,
    strictMxes,
    notifyWhenSpamBlocked,
  };
}

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
function profileOf({ plan, limits, locked, profile }: ReadAccount, now: number): AccountProfile {
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
    webhook_secret: LOCAL_WEBHOOK_SECRET,
    ...profile,
    created_at: isoSeconds(now),
    over_quota: false,
    locked: locked === undefined ? null : isoSeconds(now),
    lock_reason: locked ?? null,
    plan: { ...plans[plan], ...limits },
  };
}

/**
 * Adds content that the domain does not have yet.
 *
 * @returns What differs from the seed and was left unchanged.
 * @throws ApiError (400) for more than the plan allows.
 */
function fillDomain(
  seed: ReadDomain,
  domain: DomainRecord,
  account: AccountRecord,
  passwords: HashedPasswords,
  context: ServiceContext,
): string[] {
  const { store, clock } = context;
  const kept: string[] = [];
  const keep = (what: string) =>
    kept.push(`The ${what} of ${domain.name} differs from the seed and was left unchanged.`);

  for (const template of seed.templates) {
    const wanted: TemplateColumns = { description: "", subject: "", html_body: "", text_body: "", ...template };
    const existing = store.templates.find(domain.id, template.name);
    if (!existing) store.templates.create(domain.id, wanted, clock.now());
    else if (!hasMembers(existing, template)) keep(`template ${template.name}`);
  }
  for (const alias of seed.aliases) {
    const existing = store.aliases.findByName(domain.id, alias.alias);
    if (!existing) addAlias(context, account, domain.id, alias);
    else if (existing.forward !== alias.forward) keep(`alias ${alias.alias}`);
  }
  const rules = store.rules.list(domain.id, undefined, { ...ALL, order: "rank_asc" }).rows;
  for (const { type, config, id, rank, active } of seed.rules) {
    const kind = ruleKindSchema.parse({ type, config });
    const existing =
      id === undefined ? rules.find((rule) => isDeepStrictEqual(rule.kind, kind)) : store.rules.find(domain.id, id);
    if (!existing) addRule(context, account, domain.id, { kind, id, rank, active });
    else if (!isDeepStrictEqual(existing.kind, kind) || !hasMembers(existing, { rank, active }))
      keep(`rule ${existing.id}`);
  }
  for (const { username } of seed.credentials) {
    const password = passwords.get(credentialKey(domain.name, username));
    if (password?.hash !== undefined) store.credentials.create(domain.id, username, password.hash, clock.now());
    else if (password?.differs) keep(`password of the credential ${username}`);
  }
  return kept;
}

/** Whether a record matches the seed in every member that the seed has. */
function hasMembers<Item extends object>(
  existing: Item,
  expected: { readonly [Key in keyof Item]?: Item[Key] | undefined },
): boolean {
  return Object.entries(expected).every(
    ([key, value]) => value === undefined || isDeepStrictEqual(Reflect.get(existing, key), value),
  );
}

/** A seed's password: hashed for a new credential, or compared with an existing one. */
interface HashedPassword {
  /** Hash for a new credential. */
  readonly hash?: string;
  /** Whether the existing credential has another password. */
  readonly differs: boolean;
}

/** By domain and user name. */
type HashedPasswords = ReadonlyMap<string, HashedPassword>;

function credentialKey(domain: string, username: string): string {
  return `${username.toLowerCase()}@${domain}`;
}

/** Computes the slow hashes before the seed is added, so that adding it does not have to wait. */
async function hashPasswords(accounts: readonly ReadAccount[], store: Store): Promise<HashedPasswords> {
  const credentials = accounts.flatMap(({ apiKey, domains }) =>
    domains.flatMap((domain) => domain.credentials.map((credential) => ({ apiKey, name: domain.name, ...credential }))),
  );
  const hashed = credentials.map(async ({ apiKey, name, username, password }) => {
    const account = store.accounts.findByKey(apiKey);
    const domain = account && store.domains.find(account.id, name);
    const existing = domain && store.credentials.find(domain.id, username);
    const result: HashedPassword = existing
      ? { differs: !(await matchesPassword(password, existing.passwordHash)) }
      : { hash: await hashPassword(password), differs: false };
    return [credentialKey(name, username), result] as const;
  });
  return new Map(await Promise.all(hashed));
}
