import type { z } from "zod";
import type { Caller, CallOptions } from "../../calls/caller.js";
import type { AcceptedEmail, OutboundEmail as Email } from "../../contract/v4/emails.js";
import { PATHS } from "../../contract/v4/paths.js";
import { lazily } from "../lazily.js";
import type { ReadOnly } from "../read-only.js";

/** A mail to send. `variables` become JSON. */
export type OutboundEmail = ReadOnly<Omit<Email, "variables">> & { readonly variables?: object | undefined };

export interface EmailCalls {
  /**
   * Sends one mail: at most 10 calls a minute. There is no idempotency key, so a second call is a second mail: it is
   * tried again only where nothing of the request was sent, and a 429 is its caller's to handle.
   */
  send(domain: string, email: OutboundEmail, options?: CallOptions): Promise<AcceptedEmail>;
}

interface EmailContract {
  readonly outboundEmailResponse: z.ZodType<AcceptedEmail>;
}

const contractV4 = lazily(() => import("../../contract/v4/emails.js"));

export function emailCalls(caller: Caller, contract: () => Promise<EmailContract> = contractV4): EmailCalls {
  return {
    async send(domain, body, options) {
      const parameters = { domain };
      const request = { method: "POST", endpoint: PATHS.outboundEmails, parameters, body, kind: "send" } as const;
      const schema = async () => (await contract()).outboundEmailResponse;
      const { id, message_id } = await caller.ask(request, schema, options);
      return { id, message_id };
    },
  };
}
