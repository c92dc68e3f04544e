import type { SendingClient, SendingClientV3 } from "../../api/sending-client.js";

/** Who knows about the account's plan. */
export interface PlanSource {
  /** Mails that may be sent in a day and in a month; zero where that is not known. */
  limits(signal: AbortSignal): Promise<{ readonly day: number; readonly month: number }>;
  /** Mails that were sent since a moment, as far as it can tell. */
  sentSince(time: Date, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

/**
 * The service's own account. Version 3 has no limit for the month. The log is a domain's: what other domains of the account
 * sent is not seen, and the service refuses then.
 *
 * @param client For this alone: it is closed with the pace.
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
