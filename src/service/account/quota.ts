import { forbidden } from "../http/api-error.js";
import type { ServiceContext } from "../context.js";
import type { AccountRecord } from "../store/accounts.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

type Sends = Pick<ServiceContext, "store" | "clock">;

/**
 * Counts emails against the account's daily and monthly send limits (the plan object of version 4, part 2). Days and
 * months are in UTC, by the service's clock. All emails of a request must fit, or none is counted.
 *
 * @example
 * store.transaction(() => {
 *   countSends(context, account, recipients.length);
 *   …
 * });
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
      throw forbidden(`This would exceed the plan's ${name} limit of ${limit} emails; ${sent} have been sent.`);
    }
  }
  store.accounts.countSent(account.id, dayOf(now), mails);
}

/** Whether the account has used up its plan's send limit for this day or this month. */
export function isOverQuota({ store, clock }: Sends, account: AccountRecord): boolean {
  const { daily_send_limit, monthly_send_limit } = account.profile.plan;
  const now = clock.now();
  const today = store.accounts.sentSince(account.id, dayOf(now));
  const thisMonth = store.accounts.sentSince(account.id, monthOf(now));
  // An account that may not send at all has not used up anything.
  return (today > 0 && today >= daily_send_limit) || (thisMonth > 0 && thisMonth >= monthly_send_limit);
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
