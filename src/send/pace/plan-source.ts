import type { SendingClient, SendingClientV3 } from "../../api/sending-client.js";

/** Where the account's plan comes from. */
export interface PlanSource {
  /** Emails allowed per day and per month; zero if unknown. */
  limits(signal: AbortSignal): Promise<{ readonly day: number; readonly month: number }>;
  /** Emails sent since a time, as far as is known. */
  sentSince(time: Date, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

/**
 * The plan from the service's account. Version 3 has no monthly limit. The log is per domain, so email from other
 * domains of the account is not seen; then the service itself refuses.
 *
 * @param client Not shared: it is closed with the pace.
 */
export function planSource(client: SendingClient | SendingClientV3, domain: string): PlanSource {
  return {
    async limits(signal) {
      const account = await client.account.get({ signal });
      return "limits" in account
        ? { day: account.limits.daily_send, month: 0 }
        : { day: account.plan.daily_send_limit, month: account.plan.monthly_send_limit };
    },
    sentSince: (after, signal) => client.logs.count(domain, { transport: "api", after }, { signal }),
    close: () => client.close(),
  };
}
