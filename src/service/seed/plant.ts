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
 * Adds what is not there yet, all of it or nothing; what is there stays as it is.
 *
 * @returns What it left alone although the seed says something else, one sentence each.
 * @throws SeedError for more than the plan of an account allows.
 */
export async function plant(accounts: readonly ReadAccount[], context: ServiceContext): Promise<string[]> {
  const passwords = await hashPasswords(accounts, context.store);
  return context.store.transaction(() => accounts.flatMap((account) => plantAccount(account, passwords, context)));
}

function plantAccount(seed: ReadAccount, passwords: HashedPasswords, context: ServiceContext): string[] {
  const { accounts } = context.store;
  const wanted = profileOf(seed, context.clock.now());
  const paid = seed.plan === "paid";
  const found = accounts.findByKey(seed.apiKey);
  const account = found ?? accounts.create(seed.apiKey, paid, wanted);
  const differs = account.paid !== paid || !isDeepStrictEqual(timeless(account.profile), timeless(wanted));
  return [
    ...(differs ? [`The account "${account.profile.name}" stays as it is, which is not as the seed has it.`] : []),
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
  const found = store.domains.find(account.id, name);
  try {
    if (!found) refuseOverLimit(account, "domains_limit", store.domains.count(account.id));
    const ready = { forwarding: forwardingReady, sending: sendReady };
    const domain = found ?? store.domains.create(account.id, name, ready, settings, clock.now());
    if (!domain) return [`The domain ${name} stays with the account that has it; nothing of the seed was added to it.`];
    return [
      ...(hasMembers(domain, settings) ? [] : [`The domain ${name} keeps its settings.`]),
      ...fillDomain(seed, domain, account, passwords, context),
    ];
  } catch (error) {
    if (error instanceof ApiError) throw new SeedError([`The domain ${name}: ${error.message}`]);
    throw error;
  }
}

/** Without what is about when it was added. */
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
