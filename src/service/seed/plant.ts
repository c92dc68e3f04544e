import { isDeepStrictEqual } from "node:util";
import { ApiError } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import { SeedError } from "../errors.js";
import { refuseOverLimit } from "../account/plan.js";
import type { AccountProfile, AccountRecord } from "../store/accounts.js";
import type { DomainSettings, DomainTraits } from "../store/domains.js";
import { fillDomain, hasMembers } from "./fill-domain.js";
import { type HashedPasswords, hashPasswords } from "./passwords.js";
import { profileOf } from "./plans.js";
import type { ReadAccount, ReadDomain } from "./schema.js";

/**
 * Adds everything that does not exist yet, or nothing if that fails. Existing data stays unchanged.
 *
 * @returns What differs from the seed and was left unchanged, one sentence each.
 * @throws SeedError for more than an account's plan allows.
 */
export async function plant(accounts: readonly ReadAccount[], context: ServiceContext): Promise<string[]> {
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
