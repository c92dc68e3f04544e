import { accountSchema } from "../api/contract/v4/account.js";
import type { ServiceContext } from "./context.js";
import type { HandlersV4 } from "./endpoints.js";
import { badRequest, forbidden } from "./http/api-error.js";
import type { AccountRecord } from "./store/accounts.js";

/**
 * Checks the plan for what the documents refuse without a premium plan: SMTP credentials, creating templates and
 * batches of aliases, and sending.
 *
 * @throws ApiError (403) for an account on the free plan.
 */
export function requirePaidPlan(account: AccountRecord): void {
  if (!account.paid) throw forbidden("This needs a premium plan.");
}

/**
 * Refuses changes by a locked account, which may still read.
 *
 * @throws ApiError (403) with the reason for the lock.
 */
export function refuseLocked({ profile }: AccountRecord, method: string): void {
  const { locked, lock_reason } = profile;
  if (locked === null || method === "GET" || method === "HEAD") return;
  throw forbidden(`The account is locked${lock_reason === null ? "" : `: ${lock_reason}`}.`);
}

/** Limits of a plan that apply to all of an account's domains together. */
export type PlanLimit = "domains_limit" | "aliases_limit" | "rules_limit";

/**
 * Checks the limit before one more item is added to an account that has `count`.
 *
 * @throws ApiError (400), as for the template after the last one that a domain may have.
 */
export function refuseOverLimit(account: AccountRecord, limit: PlanLimit, count: number): void {
  const most = account.profile.plan[limit];
  if (count >= most)
    throw badRequest(`The account has reached its plan's limit of ${most} ${limit.slice(0, -"_limit".length)}.`);
}

const DAY_MS = 24 * 60 * 60 * 1_000;

type Sends = Pick<ServiceContext, "store" | "clock">;

/**
 * Counts emails against the account's daily and monthly send limits (the plan object of version 4, part 2). Days and
 * months are in UTC, by the service's clock. All emails of a request must fit, or none is counted.
 *
 * @throws ApiError (403) if the emails would exceed a limit.
 */
export function countSends({ store, clock }: Sends, account: AccountRecord, mails: number): void {
  const { plan } = account.profile;
  const now = clock.now();
  const periods = [
    { name: "daily", since: dayOf(now), limit: plan.daily_send_limit },
    { name: "monthly", since: monthOf(now), limit: plan.monthly_send_limit },
  ];
  for (const { name, since, limit } of periods) {
    const sent = store.accounts.sentSince(account.id, since);
    if (sent + mails > limit) {
      throw forbidden(`This would exceed the plan's ${name} limit of ${limit} emails; sent so far: ${sent}.`);
    }
  }
  store.accounts.countSent(account.id, dayOf(now), mails);
}

/** Whether the account has used up one of its plan's limits for this day or this month. */
export function isOverQuota({ store, clock }: Sends, { id, profile: { plan } }: AccountRecord): boolean {
  const { accounts } = store;
  const today = dayOf(clock.now());
  const month = monthOf(clock.now());
  const used = [
    { count: accounts.sentSince(id, today), limit: plan.daily_send_limit },
    { count: accounts.sentSince(id, month), limit: plan.monthly_send_limit },
    { count: accounts.receivedSince(id, today), limit: plan.daily_receive_limit },
    { count: accounts.receivedSince(id, month), limit: plan.monthly_receive_limit },
  ];
  // An account that may not send at all has not used up anything.
  return used.some(({ count, limit }) => count > 0 && count >= limit);
}

/** Whether the account's receive limits allow another email, today and this month. */
export function mayReceive({ store, clock }: Sends, { id, profile: { plan } }: AccountRecord): boolean {
  const { accounts } = store;
  const now = clock.now();
  return (
    accounts.receivedSince(id, dayOf(now)) < plan.daily_receive_limit &&
    accounts.receivedSince(id, monthOf(now)) < plan.monthly_receive_limit
  );
}

/** Counts an email against the account's receive limits. */
export function countReceived({ store, clock }: Sends, { id }: AccountRecord): void {
  store.accounts.countReceived(id, dayOf(clock.now()));
}

/** Days since 1970. */
function dayOf(time: number): number {
  return Math.floor(time / DAY_MS);
}

/** The first day of the month, in days since 1970. */
function monthOf(time: number): number {
  const date = new Date(time);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth()));
}

/** Version 4's endpoint. */
export function accountHandlers(context: ServiceContext): HandlersV4<"account"> {
  return {
    // Parsing removes members that only version 3 shows.
    "account.get": ({ account }) => ({
      account: accountSchema.parse({ ...account.profile, over_quota: isOverQuota(context, account) }),
    }),
  };
}
