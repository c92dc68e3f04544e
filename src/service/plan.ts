import { forbidden } from "./api-error.js";
import type { AccountRecord } from "./store/accounts.js";

/**
 * For what the document refuses without a premium plan: creating templates and sending.
 *
 * @throws ApiError (403) for an account on the free plan.
 */
export function requirePaidPlan(account: AccountRecord): void {
  if (!account.paid) throw forbidden("This needs a premium plan.");
}
