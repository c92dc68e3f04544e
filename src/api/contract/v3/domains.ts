import { z } from "zod";
import { pageAnswer, pageQuery } from "../v4/formats.js";
import { BATCH_MAX, PAGE_LIMIT_V3 } from "../../limits.js";
import { dnsRecordsSchema } from "../v4/domains.js";
import { answeredRuleOf } from "../v4/rules.js";
import { success, timestampSchema } from "./formats.js";

export const aliasSchema = z.object({
  id: z.int(),
  /** The local part of the address; `*` for all others. */
  alias: z.string(),
  /** Comma-separated addresses and webhooks. */
  forward: z.string(),
  /** Absent if an alias was just added or updated. */
  created: timestampSchema.optional(),
});

/** The query of `GET /domains/:domain/aliases`, as strings. */
export const aliasListQuery = z.object({
  /** Part of the alias or of its destinations. */
  q: z.string().optional(),
  /** The beginning of the alias. */
  alias: z.string().optional(),
  is_active: z.enum(["1", "0"]).optional(),
  ...pageQuery(PAGE_LIMIT_V3.aliases),
});

/** The body of `POST /domains/:domain/aliases`. */
export const newAliasSchema = z.object({ alias: z.string(), forward: z.string() });

/** The body of `PUT /domains/:domain/aliases/:alias`; `alias` renames it, if the path has the id. */
export const aliasChangesSchema = z.object({ forward: z.string(), alias: z.string().optional() });

export const bulkBehaviorSchema = z.enum(["add", "update", "delete"]);

/** The body of `POST /domains/:domain/aliases/bulk`. Deleting does not need `forward`. */
export const aliasBulkSchema = z.object({
  aliases: z
    .array(z.object({ alias: z.string(), forward: z.string().optional() }))
    .max(BATCH_MAX, `aliases may have at most ${BATCH_MAX} items`),
  /** `add` fails for an alias that exists. Default `add`. */
  behavior: bulkBehaviorSchema.default("add"),
});

export const aliasListResponse = z.object({
  aliases: z.array(aliasSchema),
  ...pageAnswer,
  ...success,
});

/** The answer for adding, reading and updating an alias. */
export const aliasResponse = z.object({ alias: aliasSchema, ...success });

/** The answer for a bulk `add` or `update`; a failed alias that does not exist has no id. */
export const aliasesChangedResponse = z.object({
  added: z.array(aliasSchema),
  updated: z.array(aliasSchema),
  failed: z.array(z.object({ alias: z.string(), forward: z.string().nullish(), id: z.int().nullish() })),
  ...success,
});

/** The answer for a bulk `delete`. */
export const aliasesDeletedResponse = z.object({
  deleted: z.array(aliasSchema),
  failed: z.array(z.object({ alias: z.string() })),
  ...success,
});

export type AliasV3 = z.infer<typeof aliasSchema>;
export type AliasPageV3 = z.infer<typeof aliasListResponse>;
export type NewAliasV3 = z.infer<typeof newAliasSchema>;
export type AliasChangesV3 = z.infer<typeof aliasChangesSchema>;
export type ChangedAliasesV3 = z.infer<typeof aliasesChangedResponse>;
export type DeletedAliasesV3 = z.infer<typeof aliasesDeletedResponse>;

/** The answer of `GET /domains/:domain/rules/:rule`, without a wrapper. */
export const ruleSchema = answeredRuleOf({
  /** A UUID. */
  id: z.string(),
  /** Rules are tried in order of rank, the lowest first. */
  rank: z.number(),
  active: z.boolean(),
  /** Milliseconds; seconds if a rule was just updated, and in bulk. */
  created: timestampSchema,
});

/** The query of `GET /domains/:domain/rules`, as strings. */
export const ruleListQuery = z.object({
  search: z.string().optional(),
  ...pageQuery(PAGE_LIMIT_V3.rules),
});

/** The body of `POST /domains/:domain/rules/bulk`; the required fields of its entries depend on `behavior`. */
export const ruleBulkSchema = z.object({
  rules: z.array(z.record(z.string(), z.unknown())).max(BATCH_MAX, `rules may have at most ${BATCH_MAX} items`),
  behavior: bulkBehaviorSchema.default("add"),
});

export const ruleListResponse = z.object({
  rules: z.array(ruleSchema),
  ...pageAnswer,
  ...success,
});

/** The answer for adding and updating a rule. */
export const ruleResponse = z.object({ rule: ruleSchema, ...success });

/**
 * The answer of a bulk: a result for each processed entry. The formats of `errors` and of a deleted rule are not
 * documented.
 */
export const rulesChangedResponse = z.object({
  errors: z.array(z.unknown()),
  results: z.array(z.object({ operation: z.string(), rule: z.unknown(), success: z.boolean() })),
  success: z.boolean(),
});

export type RuleV3 = z.infer<typeof ruleSchema>;
export type RulePageV3 = z.infer<typeof ruleListResponse>;
export type ChangedRulesV3 = z.infer<typeof rulesChangedResponse>;

/** Its password can be written but never read. */
export const credentialSchema = z.object({
  /** The local part of the mailbox. */
  username: z.string(),
  usage: z.int(),
  created: timestampSchema,
});

export const credentialListResponse = z.object({ credentials: z.array(credentialSchema), ...success });

/**
 * The answer for adding a credential: after a domain's first one, SMTP sending is blocked until its DNS has been
 * checked again.
 */
export const credentialAddedResponse = z.object({
  credential: credentialSchema,
  requires_new_mx_check: z.boolean(),
  ...success,
});

export const credentialResponse = z.object({ credential: credentialSchema, ...success });

export type CredentialV3 = z.infer<typeof credentialSchema>;
export type AddedCredentialV3 = z.infer<typeof credentialAddedResponse>;

export const domainSchema = z.object({
  active: z.boolean(),
  domain: z.string(),
  display: z.string(),
  dkim_selector: z.string(),
  notification_email: z.string().nullable(),
  /** The URL that the events of its emails are posted to. */
  webhook: z.string().nullable(),
  whitelabel: z.string().nullable(),
  added: timestampSchema,
  /** Present in a documented example of a search. */
  daily_quota: z.int().optional(),
  /** At most 200 of them. */
  aliases: z.array(aliasSchema),
});

/** The query of `GET /domains`, as strings. */
export const domainListQuery = z.object({
  q: z.string().optional(),
  is_active: z.enum(["1", "0"]).optional(),
  ...pageQuery(PAGE_LIMIT_V3.domains),
});

/** The body of `POST /domains`. */
export const newDomainSchema = z.object({
  domain: z.string(),
  notification_email: z.string().nullish(),
  whitelabel: z.string().nullish(),
});

/** The body of `PUT /domains/:domain`; the name cannot be changed. */
export const domainChangesSchema = z.object({
  notification_email: z.string().nullish(),
  /** An http or https URL; null for none. */
  webhook: z.string().nullish(),
  whitelabel: z.string().nullish(),
});

export const domainListResponse = z.object({
  domains: z.array(domainSchema),
  total: z.int(),
  limit: z.int(),
  page: z.int(),
  ...success,
});

/** The answer for adding, reading and updating a domain. */
export const domainResponse = z.object({ domain: domainSchema, ...success });

/** The answer of `GET /domains/:domain/check`: `success` is whether MX is configured correctly. */
export const domainCheckResponse = z.object({ records: dnsRecordsSchema, success: z.boolean() });

export type DomainV3 = z.infer<typeof domainSchema>;
export type DomainPageV3 = z.infer<typeof domainListResponse>;
export type NewDomainV3 = z.infer<typeof newDomainSchema>;
export type DomainChangesV3 = z.infer<typeof domainChangesSchema>;
export type DomainCheckV3 = z.infer<typeof domainCheckResponse>;
