import type { Caller } from "./calls/caller.js";
import { lazily } from "./resources/lazily.js";
import { type AccountCallsV3, accountCallsV3 } from "./resources/v3/account.js";
import { type AliasCallsV3, aliasCallsV3 } from "./resources/v3/aliases.js";
import { type CredentialCallsV3, credentialCallsV3 } from "./resources/v3/credentials.js";
import { type DomainCallsV3, domainCallsV3 } from "./resources/v3/domains.js";
import { type LogCallsV3, logCallsV3 } from "./resources/v3/logs.js";
import { type RuleCallsV3, ruleCallsV3 } from "./resources/v3/rules.js";
import { type EmailCalls, emailCalls } from "./resources/v4/emails.js";
import { type TemplateCalls, templateCalls } from "./resources/v4/templates.js";
import { answersV3 } from "./sending-answers.js";

/** Version 3's endpoints by resource. Every call takes `{ signal, timeoutMs, retries }` as its last argument. */
export interface ClientV3 {
  readonly account: AccountCallsV3;
  readonly domains: DomainCallsV3;
  readonly aliases: AliasCallsV3;
  readonly rules: RuleCallsV3;
  readonly logs: LogCallsV3;
  readonly credentials: CredentialCallsV3;
  readonly emails: EmailCalls;
  readonly templates: TemplateCalls;
  /**
   * Waits for calls in progress to end, then closes the connections. Calls that wait for their turn, and later calls,
   * fail.
   */
  close(): Promise<void>;
}

const logContract = lazily(() => import("./resources/v3/log-answers.js"));
const templateContract = lazily(() => import("./contract/v3/sending.js"));

export function clientV3(caller: Caller): ClientV3 {
  return {
    account: accountCallsV3(caller),
    domains: domainCallsV3(caller),
    aliases: aliasCallsV3(caller),
    rules: ruleCallsV3(caller),
    logs: logCallsV3(caller, logContract),
    credentials: credentialCallsV3(caller),
    emails: emailCalls(caller, answersV3.accepted),
    templates: templateCalls(caller, templateContract),
    close: () => caller.close(),
  };
}
