import { ConfigurationError } from "../errors.js";
import { type Caller, type ClientOptions, createCaller } from "./calls/caller.js";
import { undiciTransport } from "./calls/undici-transport.js";
import * as PATHS_V3 from "./contract/v3/paths.js";
import * as PATHS from "./contract/v4/paths.js";
import { type AccountCalls, accountCalls, type AccountCallsV3, accountCallsV3 } from "./resources/account.js";
import { type AliasCalls, aliasCalls, type AliasCallsV3, aliasCallsV3 } from "./resources/aliases.js";
import {
  type CredentialCalls,
  credentialCalls,
  type CredentialCallsV3,
  credentialCallsV3,
} from "./resources/credentials.js";
import { type DomainCalls, domainCalls, type DomainCallsV3, domainCallsV3 } from "./resources/domains.js";
import { type EmailCalls, emailCalls } from "./resources/emails.js";
import { type LogCalls, logCalls, type LogCallsV3, logCallsV3, logSearchCalls } from "./resources/logs.js";
import { type RuleCalls, ruleCalls, type RuleCallsV3, ruleCallsV3 } from "./resources/rules.js";
import { type TemplateCalls, templateCalls } from "./resources/templates.js";
import { answers, answersV3 } from "./sending-answers.js";

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

const logContractV3 = () => import("./contract/v3/logs.js");
const templateContractV3 = () => import("./contract/v3/sending.js");

function clientV3(caller: Caller): ClientV3 {
  return {
    account: accountCallsV3(caller),
    domains: domainCallsV3(caller),
    aliases: aliasCallsV3(caller),
    rules: ruleCallsV3(caller),
    logs: logCallsV3(caller, logContractV3),
    credentials: credentialCallsV3(caller),
    emails: emailCalls(caller, answersV3.accepted),
    templates: templateCalls(caller, templateContractV3),
    close: () => caller.close(),
  };
}

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

const logContract = () => import("./contract/v4/logs.js");
const templateContract = () => import("./contract/v4/templates.js");

function clientV4(caller: Caller): Client {
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

/**
 * A typed client of the service. Connections are kept alive and shared; none is opened before the first call.
 *
 * Calls throw ServiceError if the service refuses (status 400 and above); UnreachableError, TimeoutError and
 * AbortedError, which say whether the request may have reached the service; and ContractError for an answer that the
 * service's documentation does not allow. Batches of more than 500 items also throw BatchError.
 *
 * @example
 * const client = createClient({ apiKey, baseUrl: "https://api.example.com" });
 * const { html_body } = await client.templates.get("example.com", "receipt");
 * for await (const entry of client.logs.list("example.com", { status: "HARD-BOUNCE" })) …
 * await client.close();
 *
 * @example
 * const earlier = createClient({ apiKey, baseUrl: "https://api.example.com", version: "v3" });
 * const { success, records } = await earlier.domains.check("example.com");
 *
 * @throws ConfigurationError for an invalid base URL, key, timeout or number of retries.
 */
export function createClient(options: ClientOptions & { readonly version: "v3" }): ClientV3;
export function createClient(options: ClientOptions & { readonly version?: "v4" }): Client;
export function createClient(options: ClientOptions): Client | ClientV3;
export function createClient(options: ClientOptions): Client | ClientV3 {
  const { version = "v4" } = options;
  if (version !== "v4" && version !== "v3")
    throw new ConfigurationError(`version is ${JSON.stringify(version)}; it must be "v4" or "v3".`);
  // Version 3 also has the endpoints of version 4.
  const paths: readonly string[] = Object.values(version === "v3" ? { ...PATHS, ...PATHS_V3 } : PATHS);
  const caller = createCaller({ ...options, version, paths }, undiciTransport);
  return version === "v3" ? clientV3(caller) : clientV4(caller);
}
