import { z } from "zod";
import { type Endpoint, endpointsOf, type EndpointTable, refused } from "../endpoint.js";
import { TABLE as V4 } from "../v4/endpoints.js";
import { accountResponse, whitelabelsResponse } from "./account.js";
import * as aliases from "./aliases.js";
import * as credentials from "./credentials.js";
import * as domains from "./domains.js";
import * as logs from "./logs.js";
import * as PATHS from "./paths.js";
import * as rules from "./rules.js";
import * as sending from "./sending.js";
import { deletedAllResponse, successResponse } from "./formats.js";

/** In an alternative form, deleting all takes the guard `?all=true`, and answers how many there were. */
const all = z.object({ all: z.literal("true").optional() });

/** Version 4's endpoint with version 3's answer. */
function answering<Id extends keyof typeof V4, Answer extends z.ZodType>(id: Id, answer: Answer) {
  const { answers: _, ...endpoint } = V4[id];
  return { ...endpoint, answers: { 200: answer } };
}

/** Version 3's endpoints (part 4): those that version 4 doesn't have, and those that differ. */
export const TABLE = {
  "account.get": {
    ...V4["account.get"],
    summary: "Read the account",
    answers: { 200: accountResponse },
  },
  "account.whitelabels": {
    summary: "List the whitelabels that domains can have",
    method: "GET",
    path: PATHS.whitelabels,
    answers: { 200: whitelabelsResponse },
    refusals: [],
  },

  "domains.list": {
    ...V4["domains.list"],
    query: domains.domainListQuery,
    answers: { 200: domains.domainListResponse },
  },
  "domains.create": {
    ...V4["domains.create"],
    body: domains.newDomainSchema,
    answers: { 200: domains.domainResponse },
  },
  "domains.get": {
    ...V4["domains.get"],
    summary: "Read a domain, with up to 200 of its aliases",
    answers: { 200: domains.domainResponse },
  },
  "domains.update": {
    ...V4["domains.update"],
    summary: "Change where notifications and events go, and the whitelabel",
    body: domains.domainChangesSchema,
    answers: { 200: domains.domainResponse },
  },
  "domains.check": {
    summary: "Check the domain's DNS",
    method: "GET",
    path: PATHS.domainCheck,
    answers: { 200: domains.domainCheckResponse },
    refusals: [refused.domain],
  },
  "domains.delete": answering("domains.delete", successResponse),

  "aliases.list": {
    ...V4["aliases.list"],
    query: aliases.aliasListQuery,
    answers: { 200: aliases.aliasListResponse },
  },
  "aliases.create": {
    ...V4["aliases.create"],
    body: aliases.newAliasSchema,
    answers: { 200: aliases.aliasResponse },
  },
  "aliases.bulk": {
    summary: "Add, update or delete up to 500 aliases",
    method: "POST",
    path: PATHS.aliasBulk,
    body: aliases.aliasBulkSchema,
    answers: { 200: z.union([aliases.aliasesChangedResponse, aliases.aliasesDeletedResponse]) },
    refusals: [refused.field, refused.batchSize, refused.premium, refused.domain],
  },
  "aliases.createMany": V4["aliases.createMany"],
  "aliases.updateMany": V4["aliases.updateMany"],
  "aliases.deleteMany": V4["aliases.deleteMany"],
  "aliases.deleteAll": {
    ...V4["aliases.deleteAll"],
    path: PATHS.aliasesAll,
    query: all,
    answers: { 200: deletedAllResponse },
    refusals: [refused.domain],
  },
  "aliases.get": {
    ...V4["aliases.get"],
    summary: "Read an alias by its name or its id",
    path: PATHS.alias,
    answers: { 200: aliases.aliasResponse },
  },
  "aliases.update": {
    ...V4["aliases.update"],
    summary: "Change where an alias leads; by its id, also its name",
    path: PATHS.alias,
    body: aliases.aliasChangesSchema,
    answers: { 200: aliases.aliasResponse },
  },
  "aliases.delete": {
    ...V4["aliases.delete"],
    path: PATHS.alias,
    answers: { 200: successResponse },
  },

  "rules.list": {
    ...V4["rules.list"],
    query: rules.ruleListQuery,
    answers: { 200: rules.ruleListResponse },
  },
  "rules.create": answering("rules.create", rules.ruleResponse),
  "rules.bulk": {
    summary: "Add, update or delete rules",
    method: "POST",
    path: PATHS.ruleBulk,
    body: rules.ruleBulkSchema,
    answers: { 200: rules.rulesChangedResponse },
    refusals: [refused.field, refused.batchSize, refused.domain],
  },
  "rules.createMany": V4["rules.createMany"],
  "rules.updateMany": V4["rules.updateMany"],
  "rules.deleteMany": V4["rules.deleteMany"],
  "rules.deleteAll": {
    ...V4["rules.deleteAll"],
    path: PATHS.rulesAll,
    query: all,
    answers: { 200: deletedAllResponse },
    refusals: [refused.domain],
  },
  "rules.get": answering("rules.get", rules.ruleSchema),
  "rules.update": answering("rules.update", rules.ruleResponse),
  "rules.delete": answering("rules.delete", successResponse),

  "logs.list": {
    ...V4["logs.list"],
    query: logs.logListQuery,
    answers: { 200: logs.logsResponse },
  },
  "logs.count": answering("logs.count", logs.logCountResponse),
  "logs.search": {
    ...V4["logs.search"],
    summary: "Search the log's entries of a time",
    query: logs.logSearchQuery,
    answers: { 200: logs.logsResponse },
  },
  "logs.ofAlias": {
    summary: "List the log's entries of one alias",
    method: "GET",
    path: PATHS.logsOfAlias,
    query: logs.logListQuery,
    answers: { 200: logs.logsResponse },
    refusals: [refused.parameter, refused.domain],
  },
  "logs.get": answering("logs.get", logs.logResponse),

  "credentials.list": answering("credentials.list", credentials.credentialListResponse),
  "credentials.create": answering("credentials.create", credentials.credentialAddedResponse),
  "credentials.update": answering("credentials.update", credentials.credentialResponse),
  "credentials.delete": answering("credentials.delete", successResponse),

  "emails.send": answering("emails.send", sending.outboundEmailResponse),

  "templates.list": answering("templates.list", sending.templateListResponse),
  "templates.create": answering("templates.create", sending.templateResponse),
  "templates.get": answering("templates.get", sending.templateResponse),
  "templates.update": answering("templates.update", sending.templateResponse),
  "templates.delete": answering("templates.delete", successResponse),
} as const satisfies EndpointTable;

export const ENDPOINTS: readonly Endpoint[] = endpointsOf(TABLE);
