import type { Check, VerifiedService } from "./verify.js";

/** What determines whether an account can send, independent of the API version. */
interface AccountState {
  readonly plan: string;
  readonly sendsPerDay: number;
  /** Unknown with version 3. */
  readonly sendsPerMonth?: number;
  /** Unknown with version 3. */
  readonly isOverQuota?: boolean;
  readonly isLocked: boolean;
}

/** @throws {CallError} The account could not be read. */
export async function accountChecks(service: VerifiedService, signal?: AbortSignal): Promise<Check[]> {
  const { plan, sendsPerDay, sendsPerMonth, isOverQuota = false, isLocked } = await readAccount(service, signal);
  const limits = `${sendsPerDay} sends a day${sendsPerMonth === undefined ? "" : `, ${sendsPerMonth} a month`}`;
  const key: Check = { name: "key", ok: true, message: `${service.url} accepts the key.` };
  if (isLocked)
    return [
      key,
      {
        name: "plan",
        ok: false,
        message: "The account is locked.",
        hint: "See the account's dashboard for the reason.",
      },
    ];
  if (isOverQuota) {
    const hint = "Wait for the next period, or upgrade the plan.";
    return [key, { name: "plan", ok: false, message: `The account is over its quota (${plan}: ${limits}).`, hint }];
  }
  if (sendsPerDay === 0) {
    const hint = "Sending and templates require a premium plan.";
    return [key, { name: "plan", ok: false, message: `The plan ${plan} does not include sending.`, hint }];
  }
  return [key, { name: "plan", ok: true, message: `The plan ${plan} allows ${limits}.` }];
}

async function readAccount({ version, client }: VerifiedService, signal?: AbortSignal): Promise<AccountState> {
  if (version === "v3") {
    const { plan, limits, locked } = await client.account.get(signal && { signal });
    return { plan: plan.name, sendsPerDay: limits.daily_send, isLocked: isSet(locked) };
  }
  const { plan, over_quota, locked } = await client.account.get(signal && { signal });
  return {
    plan: plan.name,
    sendsPerDay: plan.daily_send_limit,
    sendsPerMonth: plan.monthly_send_limit,
    isOverQuota: over_quota,
    isLocked: isSet(locked),
  };
}

/** The value for a locked account is not documented. */
function isSet(locked: unknown): boolean {
  return locked !== null && locked !== undefined && locked !== false;
}
