export type { ApiVersion } from "./base-url.js";
export type { CallOptions, ResponseInfo } from "./caller.js";
export { type Client, type ClientOptions, createClient } from "./client.js";
export type { Account, Plan } from "./contract/v4/account.js";
export type { Domain, DomainOrder, DomainPage } from "./contract/v4/domains.js";
export type { AcceptedEmail, OutboundAttachment, OutboundEmail } from "./contract/v4/emails.js";
export type { LogEntry, LogEvent, LogPage, LogSearchPage, LogStatus, LogTransport } from "./contract/v4/logs.js";
export type { NewTemplate, StoredTemplate, StoredTemplateSummary, TemplateChanges } from "./contract/v4/templates.js";
export {
  AbortedError,
  CallError,
  ContractError,
  isForbidden,
  isInvalid,
  isNotFound,
  isRateLimited,
  isUnauthorized,
  type Refusal,
  type RequestFacts,
  ServiceError,
  TimeoutError,
  UnreachableError,
} from "./errors.js";
export * from "./limits.js";
export type { RateLimit } from "./rate-limit.js";
export type { AccountCalls } from "./resources/v4/account.js";
export type { DomainCalls, DomainFilter } from "./resources/v4/domains.js";
export type { EmailCalls } from "./resources/v4/emails.js";
export type { LogCalls, LogFilter, LogListFilter, LogSearchFilter } from "./resources/v4/logs.js";
export type { TemplateCalls } from "./resources/v4/templates.js";
