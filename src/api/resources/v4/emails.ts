import type { Caller, CallOptions } from "../../caller.js";
import type { AcceptedEmail, OutboundEmail } from "../../contract/v4/emails.js";
import { PATHS } from "../../contract/v4/paths.js";

export interface EmailCalls {
  /** Sends one mail: at most 10 calls a minute. There is no idempotency key, so a second call is a second mail. */
  send(domain: string, email: OutboundEmail, options?: CallOptions): Promise<AcceptedEmail>;
}

export function emailCalls(caller: Caller): EmailCalls {
  return {
    send(domain, body, options) {
      const request = { method: "POST", endpoint: PATHS.outboundEmails, parameters: { domain }, body } as const;
      return caller.ask(request, async () => (await import("../../contract/v4/emails.js")).outboundEmailResponse, options);
    },
  };
}
