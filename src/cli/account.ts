import type { Target } from "./target.js";

/** What decides whether a domain can send, in the words of neither version. */
export interface AccountState {
  readonly plan: string;
  readonly sendsPerDay: number;
  /** Version 3 doesn't tell. */
  readonly sendsPerMonth?: number;
  /** Version 3 doesn't tell. */
  readonly isOverQuota?: boolean;
}

export async function readAccount(target: Target, signal: AbortSignal): Promise<AccountState> {
  if (target.version === "v3") {
    const { plan, limits } = await target.client.account.get({ signal });
    return { plan: plan.name, sendsPerDay: limits.daily_send };
  }
  const { plan, over_quota } = await target.client.account.get({ signal });
  return {
    plan: plan.name,
    sendsPerDay: plan.daily_send_limit,
    sendsPerMonth: plan.monthly_send_limit,
    isOverQuota: over_quota,
  };
}

/** Whether the domain's DNS records let it send. Version 3 looks them up; version 4 knows. */
export async function isReadyToSend(target: Target, signal: AbortSignal): Promise<boolean> {
  const { domain } = target.environment;
  if (target.version === "v4") return (await target.client.domains.get(domain, { signal })).send_ready;
  const { dkim1, dkim2, dmarc } = (await target.client.domains.check(domain, { signal })).records;
  return [dkim1, dkim2, dmarc].every(({ valid }) => valid);
}
