import { z } from "zod";
import { deletedAllResponse, deletedResponse, deletionBatchSchema } from "../batch.js";
import {
  type Endpoint,
  endpointsOf,
  type EndpointTable,
  newTemplateRefusals,
  refused,
  sendRefusals,
  templateChangeRefusals,
} from "../endpoint.js";
import { accountResponse } from "./account.js";
import * as aliases from "./aliases.js";
import * as credentials from "./credentials.js";
import * as domains from "./domains.js";
import { outboundEmailResponse, outboundEmailSchema } from "./emails.js";
import * as logs from "./logs.js";
import * as PATHS from "./paths.js";
import * as rules from "./rules.js";
import * as templates from "./templates.js";

/** The guard for deleting all: `?all=true`. */
const all = z.object({ all: z.literal("true") });

/** Version 4's endpoints (part 4). */
export const TABLE = {
  "account.get": {
    summary: "Read the account and its plan",
    method: "GET",
    path: PATHS.account,
    answers: { 200: accountResponse },
    refusals: [],
  },

  "domains.list": {
    summary: "List the account's domains",
    method: "GET",
    path: PATHS.domains,
    query: domains.domainListQuery,
    answers: { 200: domains.domainListResponse },
    refusals: [refused.parameter],
  },
  "domains.create": {
    summary: "Add a domain",
    method: "POST",
    path: PATHS.domains,
    body: domains.newDomainSchema,
    answers: { 200: domains.domainResponse },
    refusals: [refused.field],
  },
  "domains.get": {
    summary: "Read a domain",
    method: "GET",
    path: PATHS.domain,
    answers: { 200: domains.domainResponse },
    refusals: [refused.domain],
  },
  "domains.update": {
    summary: "Change where notifications go, and the whitelabel",
    method: "PUT",
    path: PATHS.domain,
    body: domains.domainChangesSchema,
    answers: { 200: domains.domainResponse },
    refusals: [refused.field, refused.domain],
  },
  "domains.verify": {
    summary: "Check the domain's DNS",
    method: "POST",
    path: PATHS.domainVerify,
    answers: { 200: domains.domainVerifyResponse },
    refusals: [refused.domain],
  },
  "domains.delete": {
    summary: "Delete a domain",
    method: "DELETE",
    path: PATHS.domain,
    answers: { 204: undefined },
    refusals: [refused.domain],
  },

  "aliases.list": {
    summary: "List a domain's aliases",
    method: "GET",
    path: PATHS.aliases,
    query: aliases.aliasListQuery,
    answers: { 200: aliases.aliasListResponse },
    refusals: [refused.parameter, refused.domain],
  },
  "aliases.create": {
    summary: "Add an alias",
    method: "POST",
    path: PATHS.aliases,
    body: aliases.newAliasSchema,
    answers: { 200: aliases.aliasResponse },
    refusals: [refused.field, refused.domain],
  },
  "aliases.createMany": {
    summary: "Add up to 500 aliases",
    method: "POST",
    path: PATHS.aliasBatch,
    body: aliases.newAliasBatchSchema,
    answers: { 200: aliases.aliasesAddedResponse, 207: aliases.aliasesAddedResponse },
    refusals: [refused.field, refused.batchSize, refused.premium, refused.domain],
  },
  "aliases.updateMany": {
    summary: "Update up to 500 aliases",
    method: "PUT",
    path: PATHS.aliasBatch,
    body: aliases.aliasUpdateBatchSchema,
    answers: { 200: aliases.aliasesUpdatedResponse, 207: aliases.aliasesUpdatedResponse },
    refusals: [refused.field, refused.batchSize, refused.domain],
  },
  "aliases.deleteMany": {
    summary: "Delete up to 500 aliases",
    method: "DELETE",
    path: PATHS.aliasBatch,
    body: deletionBatchSchema,
    answers: { 200: deletedResponse, 207: deletedResponse },
    refusals: [refused.field, refused.batchSize, refused.domain],
  },
  "aliases.deleteAll": {
    summary: "Delete all aliases of a domain",
    method: "DELETE",
    path: PATHS.aliases,
    query: all,
    answers: { 200: deletedAllResponse },
    refusals: [refused.guard, refused.domain],
  },
  "aliases.get": {
    summary: "Read an alias",
    method: "GET",
    path: PATHS.alias,
    answers: { 200: aliases.aliasResponse },
    refusals: [refused.domain, refused.alias],
  },
  "aliases.update": {
    summary: "Change where an alias leads",
    method: "PUT",
    path: PATHS.alias,
    body: aliases.aliasChangesSchema,
    answers: { 200: aliases.aliasResponse },
    refusals: [refused.field, refused.domain, refused.alias],
  },
  "aliases.delete": {
    summary: "Delete an alias",
    method: "DELETE",
    path: PATHS.alias,
    answers: { 204: undefined },
    refusals: [refused.domain, refused.alias],
  },

  "rules.list": {
    summary: "List a domain's rules",
    method: "GET",
    path: PATHS.rules,
    query: rules.ruleListQuery,
    answers: { 200: rules.ruleListResponse },
    refusals: [refused.parameter, refused.domain],
  },
  "rules.create": {
    summary: "Add a rule",
    method: "POST",
    path: PATHS.rules,
    body: rules.newRuleSchema,
    answers: { 200: rules.ruleResponse },
    refusals: [refused.field, refused.ruleConfig, refused.domain],
  },
  "rules.createMany": {
    summary: "Add up to 500 rules",
    method: "POST",
    path: PATHS.ruleBatch,
    body: rules.newRuleBatchSchema,
    answers: { 200: rules.rulesAddedResponse, 207: rules.rulesAddedResponse },
    refusals: [refused.field, refused.batchSize, refused.domain],
  },
  "rules.updateMany": {
    summary: "Update up to 500 rules",
    method: "PUT",
    path: PATHS.ruleBatch,
    body: rules.ruleUpdateBatchSchema,
    answers: { 200: rules.rulesUpdatedResponse, 207: rules.rulesUpdatedResponse },
    refusals: [refused.field, refused.batchSize, refused.domain],
  },
  "rules.deleteMany": {
    summary: "Delete up to 500 rules",
    method: "DELETE",
    path: PATHS.ruleBatch,
    body: deletionBatchSchema,
    answers: { 200: deletedResponse, 207: deletedResponse },
    refusals: [refused.field, refused.batchSize, refused.domain],
  },
  "rules.deleteAll": {
    summary: "Delete all rules of a domain",
    method: "DELETE",
    path: PATHS.rules,
    query: all,
    answers: { 200: deletedAllResponse },
    refusals: [refused.guard, refused.domain],
  },
  "rules.get": {
    summary: "Read a rule",
    method: "GET",
    path: PATHS.rule,
    answers: { 200: rules.ruleResponse },
    refusals: [refused.domain, refused.rule],
  },
  "rules.update": {
    summary: "Change a rule",
    method: "PUT",
    path: PATHS.rule,
    body: rules.ruleChangesSchema,
    answers: { 200: rules.ruleResponse },
    refusals: [refused.field, refused.ruleConfig, refused.domain, refused.rule],
  },
  "rules.delete": {
    summary: "Delete a rule",
    method: "DELETE",
    path: PATHS.rule,
    answers: { 204: undefined },
    refusals: [refused.domain, refused.rule],
  },

  "logs.list": {
    summary: "List the log's entries",
    method: "GET",
    path: PATHS.logs,
    query: logs.logListQuery,
    answers: { 200: logs.logListResponse },
    refusals: [refused.parameter, refused.domain],
  },
  "logs.count": {
    summary: "Count the log's entries",
    method: "GET",
    path: PATHS.logsCount,
    query: logs.logFilterQuery,
    answers: { 200: logs.logCountResponse },
    refusals: [refused.parameter, refused.domain],
  },
  "logs.search": {
    summary: "Search the log, tolerating typos",
    method: "GET",
    path: PATHS.logsSearch,
    query: logs.logSearchQuery,
    answers: { 200: logs.logSearchResponse },
    refusals: [refused.parameter, refused.domain],
  },
  "logs.get": {
    summary: "Read an entry of the log",
    method: "GET",
    path: PATHS.log,
    answers: { 200: logs.logEntrySchema },
    refusals: [refused.domain, refused.log],
  },

  "credentials.list": {
    summary: "List a domain's SMTP credentials",
    method: "GET",
    path: PATHS.credentials,
    query: credentials.credentialListQuery,
    answers: { 200: credentials.credentialListResponse },
    refusals: [refused.parameter, refused.premium, refused.domain],
  },
  "credentials.create": {
    summary: "Add an SMTP credential",
    method: "POST",
    path: PATHS.credentials,
    body: credentials.newCredentialSchema,
    answers: { 200: credentials.credentialAddedResponse },
    refusals: [refused.field, refused.premium, refused.domain],
  },
  "credentials.update": {
    summary: "Change an SMTP credential's password",
    method: "PUT",
    path: PATHS.credential,
    body: credentials.credentialChangesSchema,
    answers: { 200: credentials.credentialResponse },
    refusals: [refused.field, refused.premium, refused.domain, refused.credential],
  },
  "credentials.delete": {
    summary: "Delete an SMTP credential",
    method: "DELETE",
    path: PATHS.credential,
    answers: { 204: undefined },
    refusals: [refused.premium, refused.domain, refused.credential],
  },

  "emails.send": {
    summary: "Send an email (at most 10 requests a minute)",
    method: "POST",
    path: PATHS.outboundEmails,
    body: outboundEmailSchema,
    answers: { 200: outboundEmailResponse },
    refusals: sendRefusals,
  },

  "templates.list": {
    summary: "List a domain's templates, without their bodies",
    method: "GET",
    path: PATHS.templates,
    answers: { 200: templates.templateListResponse },
    refusals: [refused.domain],
  },
  "templates.create": {
    summary: "Add a template",
    method: "POST",
    path: PATHS.templates,
    body: templates.newTemplateSchema,
    answers: { 200: templates.templateResponse },
    refusals: newTemplateRefusals,
  },
  "templates.get": {
    summary: "Read a template",
    method: "GET",
    path: PATHS.template,
    answers: { 200: templates.templateResponse },
    refusals: [refused.domain, refused.template],
  },
  "templates.update": {
    summary: "Change some fields of a template",
    method: "PUT",
    path: PATHS.template,
    body: templates.templateChangesSchema,
    answers: { 200: templates.templateResponse },
    refusals: templateChangeRefusals,
  },
  "templates.delete": {
    summary: "Delete a template",
    method: "DELETE",
    path: PATHS.template,
    answers: { 204: undefined },
    refusals: [refused.domain, refused.template],
  },
} as const satisfies EndpointTable;

export const ENDPOINTS: readonly Endpoint[] = endpointsOf(TABLE);
