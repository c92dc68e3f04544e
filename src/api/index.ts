export { Base64Content } from "./calls/http.js";
export type { ApiVersion } from "./calls/base-url.js";
export type { CallOptions, ClientOptions } from "./calls/caller.js";
export { type Client, type ClientV3, createClient } from "./client.js";
export type { TimerClock as Clock } from "./calls/timing.js";
export type { FailedEntry } from "./contract/batch.js";
export type { DnsRecords } from "./contract/v4/domains.js";
export type { Unlisted } from "./contract/open-enum.js";
export type { RuleConfig, RuleScope, UnlistedRuleConfig } from "./contract/v4/rules.js";
export type { AccountV3, LimitsV3, PlanV3, Whitelabel } from "./contract/v3/account.js";
export type { AliasChangesV3, AliasPageV3, AliasV3, NewAliasV3 } from "./contract/v3/aliases.js";
export type { AddedCredentialV3, CredentialV3 } from "./contract/v3/credentials.js";
export type { DomainChangesV3, DomainCheckV3, DomainPageV3, DomainV3, NewDomainV3 } from "./contract/v3/domains.js";
export type { LogEntryV3, LogEventV3, LogPageV3 } from "./contract/v3/logs.js";
export type { ChangedRulesV3, RulePageV3, RuleV3 } from "./contract/v3/rules.js";
export type { Account, Plan } from "./contract/v4/account.js";
export type { Alias, AliasChanges, AliasOrder, AliasPage, NewAlias } from "./contract/v4/aliases.js";
export type { AddedCredential, Credential, CredentialPage, NewCredential } from "./contract/v4/credentials.js";
export type { Domain, DomainChanges, DomainOrder, DomainPage, NewDomain } from "./contract/v4/domains.js";
export type { AcceptedEmail } from "./contract/v4/emails.js";
export type { LogEntry, LogEvent, LogPage, LogSearchPage, LogStatus, LogTransport } from "./contract/v4/logs.js";
export type { Rule, RuleOrder, RulePage } from "./contract/v4/rules.js";
export type { NewTemplate, StoredTemplate, StoredTemplateSummary, TemplateChanges } from "./contract/v4/templates.js";
export {
  AbortedError,
  BatchError,
  type BatchState,
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
export type { Hooks, RequestInfo, ResponseInfo } from "./calls/caller.js";
export * from "./limits.js";
export type { Listing } from "./resources/pages.js";
export type { RateLimit } from "./calls/answer.js";
export type { AliasId, AliasUpdate } from "./resources/aliases.js";
export type { Added, BatchCalls, Deleted, Updated } from "./resources/batches.js";
export type { CredentialFilter } from "./resources/credentials.js";
export type { All } from "./resources/batches.js";
export type { NewRule, OneRuleConfig, RuleChanges, RuleUpdate } from "./resources/rules.js";
export type { AccountCallsV3 } from "./resources/account.js";
export type { AliasCallsV3, AliasFilterV3, ChangedAliases, DeletedAliases } from "./resources/aliases.js";
export type { CredentialCallsV3 } from "./resources/credentials.js";
export type { DomainCallsV3, DomainFilterV3 } from "./resources/domains.js";
export type { LogCallsV3, LogPageFilterV3, LogSearchFilterV3 } from "./resources/logs.js";
export type { RuleCallsV3, RuleFilterV3 } from "./resources/rules.js";
export type { AccountCalls } from "./resources/account.js";
export type { AliasCalls, AliasFilter } from "./resources/aliases.js";
export type { CredentialCalls } from "./resources/credentials.js";
export type { DomainCalls, DomainFilter } from "./resources/domains.js";
export type { EmailCalls, OutboundAttachment, OutboundEmail } from "./resources/emails.js";
export type { LogCalls, LogFilter, LogListFilter, LogSearchFilter } from "./resources/logs.js";
export type { RuleCalls, RuleFilter } from "./resources/rules.js";
export type { TemplateCalls } from "./resources/templates.js";
export { readTimestamp } from "./timestamp.js";
