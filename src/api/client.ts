import type { ApiVersion } from "./base-url.js";
import { createCaller, type ResponseInfo } from "./caller.js";
import { type AccountCalls, accountCalls } from "./resources/v4/account.js";
import { type DomainCalls, domainCalls } from "./resources/v4/domains.js";
import { type EmailCalls, emailCalls } from "./resources/v4/emails.js";
import { type LogCalls, logCalls } from "./resources/v4/logs.js";
import { type TemplateCalls, templateCalls } from "./resources/v4/templates.js";

export interface ClientOptions {
  /** The account's key. It travels in the Authorization header and is in no error, whatever a server quotes back. */
  readonly apiKey: string;
  /** The service's address without the version: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Default `v4`. */
  readonly version?: ApiVersion;
  /** Milliseconds for each call, waiting for a connection included. Default 30,000. */
  readonly timeoutMs?: number;
  /** Sees every answer, refusals included, before the call ends; what it throws, the call throws. */
  readonly onResponse?: (response: ResponseInfo) => void;
}

/** The service's endpoints by resource. Every call takes `{ signal, timeoutMs }` last. */
export interface Client {
  readonly account: AccountCalls;
  readonly domains: DomainCalls;
  readonly templates: TemplateCalls;
  readonly emails: EmailCalls;
  readonly logs: LogCalls;
  /** Lets the calls under way end, then closes the connections. Later calls fail. */
  close(): Promise<void>;
}

/**
 * A typed client of the service. Connections are kept and shared; nothing is opened before the first call, and nothing
 * is tried twice.
 *
 * Calls throw: ServiceError for what the service refused (status 400 and above), UnreachableError, TimeoutError and
 * AbortedError, which say whether the request may have reached the service, and ContractError for an answer that the
 * service's document does not have.
 *
 * @example
 * const client = createClient({ apiKey, baseUrl: "https://api.example.com" });
 * const { html_body } = await client.templates.get("example.com", "receipt");
 * for await (const entry of client.logs.list("example.com", { status: "HARD-BOUNCE" })) …
 * await client.close();
 *
 * @throws ConfigurationError for a base URL, key or time-out that cannot be used.
 */
export function createClient({
  apiKey,
  baseUrl,
  version = "v4",
  timeoutMs = 30_000,
  onResponse,
}: ClientOptions): Client {
  const caller = createCaller({ apiKey, baseUrl, version, timeoutMs, onResponse });
  return {
    account: accountCalls(caller),
    domains: domainCalls(caller),
    templates: templateCalls(caller),
    emails: emailCalls(caller),
    logs: logCalls(caller),
    close: () => caller.close(),
  };
}
