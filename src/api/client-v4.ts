import type { Caller } from "./calls/caller.js";
import type { AccountCalls } from "./resources/v4/account.js";
import { type AliasCalls, aliasCalls } from "./resources/v4/aliases.js";
import { type CredentialCalls, credentialCalls } from "./resources/v4/credentials.js";
import type { DomainCalls } from "./resources/v4/domains.js";
import type { EmailCalls } from "./resources/v4/emails.js";
import type { LogCalls } from "./resources/v4/logs.js";
import { type RuleCalls, ruleCalls } from "./resources/v4/rules.js";
import type { TemplateCalls } from "./resources/v4/templates.js";
import { sendingCalls } from "./sending-client.js";

/** Version 4's endpoints by resource. Every call takes `{ signal, timeoutMs, retries }` last. */
export interface Client {
  readonly account: AccountCalls;
  readonly domains: DomainCalls;
  readonly aliases: AliasCalls;
  readonly rules: RuleCalls;
  readonly logs: LogCalls;
  readonly credentials: CredentialCalls;
  readonly emails: EmailCalls;
  readonly templates: TemplateCalls;
  /** Lets the calls under way end, then closes the connections. Calls that wait for their turn, and later ones, fail. */
  close(): Promise<void>;
}

export function clientV4(caller: Caller): Client {
  return {
    ...sendingCalls(caller),
    aliases: aliasCalls(caller),
    rules: ruleCalls(caller),
    credentials: credentialCalls(caller),
  };
}
