import { badRequest, forbidden } from "../http/api-error.js";
import type { AccountRecord } from "../store/accounts.js";

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
