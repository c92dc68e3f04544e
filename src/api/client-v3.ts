import type { Caller } from "./calls/caller.js";
import type { AccountCallsV3 } from "./resources/v3/account.js";
import { type AliasCallsV3, aliasCallsV3 } from "./resources/v3/aliases.js";
import { type CredentialCallsV3, credentialCallsV3 } from "./resources/v3/credentials.js";
import type { DomainCallsV3 } from "./resources/v3/domains.js";
import type { LogCallsV3 } from "./resources/v3/logs.js";
import { type RuleCallsV3, ruleCallsV3 } from "./resources/v3/rules.js";
import type { EmailCalls } from "./resources/v4/emails.js";
import type { TemplateCalls } from "./resources/v4/templates.js";
import { sendingCallsV3 } from "./sending-client.js";

/** Version 3's endpoints by resource. Every call takes `{ signal, timeoutMs, retries }` last. */
export interface ClientV3 {
  readonly account: AccountCallsV3;
  readonly domains: DomainCallsV3;
  readonly aliases: AliasCallsV3;
  readonly rules: RuleCallsV3;
  readonly logs: LogCallsV3;
  readonly credentials: CredentialCallsV3;
  readonly emails: EmailCalls;
  readonly templates: TemplateCalls;
  /** Lets the calls under way end, then closes the connections. Calls that wait for their turn, and later ones, fail. */
  close(): Promise<void>;
}

export function clientV3(caller: Caller): ClientV3 {
  return {
    ...sendingCallsV3(caller),
    aliases: aliasCallsV3(caller),
    rules: ruleCallsV3(caller),
    credentials: credentialCallsV3(caller),
  };
}
