import type { Caller } from "./calls/caller.js";
import { lazily } from "./resources/lazily.js";
import { type AccountCalls, accountCalls } from "./resources/v4/account.js";
import { type AliasCalls, aliasCalls } from "./resources/v4/aliases.js";
import { type CredentialCalls, credentialCalls } from "./resources/v4/credentials.js";
import { type DomainCalls, domainCalls } from "./resources/v4/domains.js";
import { type EmailCalls, emailCalls } from "./resources/v4/emails.js";
import { type LogCalls, logCalls, logSearchCalls } from "./resources/v4/logs.js";
import { type RuleCalls, ruleCalls } from "./resources/v4/rules.js";
import { type TemplateCalls, templateCalls } from "./resources/v4/templates.js";
import { answers } from "./sending-answers.js";

/** Version 4's endpoints by resource. Every call takes `{ signal, timeoutMs, retries }` as its last argument. */
export interface Client {
  readonly account: AccountCalls;
  readonly domains: DomainCalls;
  readonly aliases: AliasCalls;
  readonly rules: RuleCalls;
  readonly logs: LogCalls;
  readonly credentials: CredentialCalls;
  readonly emails: EmailCalls;
  readonly templates: TemplateCalls;
  /**
   * Waits for calls in progress to end, then closes the connections. Calls that wait for their turn, and later calls,
   * fail.
   */
  close(): Promise<void>;
}

const logContract = lazily(() => import("./contract/v4/logs.js"));
const templateContract = lazily(() => import("./contract/v4/templates.js"));

export function clientV4(caller: Caller): Client {
  return {
    account: accountCalls(caller),
    domains: domainCalls(caller),
    aliases: aliasCalls(caller),
    rules: ruleCalls(caller),
    logs: { ...logCalls(caller, logContract), ...logSearchCalls(caller, logContract) },
    credentials: credentialCalls(caller),
    emails: emailCalls(caller, answers.accepted),
    templates: templateCalls(caller, templateContract),
    close: () => caller.close(),
  };
}
