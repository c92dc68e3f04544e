import type { z } from "zod";
import { failedEntrySchema } from "../../api/contract/batch.js";
import { dnsRecordsSchema } from "../../api/contract/dns.js";
import type { Endpoint } from "../../api/contract/endpoint.js";
import * as accountV3 from "../../api/contract/v3/account.js";
import { aliasSchema as aliasV3, newAliasSchema as newAliasV3 } from "../../api/contract/v3/aliases.js";
import { credentialSchema as credentialV3 } from "../../api/contract/v3/credentials.js";
import { domainSchema as domainV3, newDomainSchema as newDomainV3 } from "../../api/contract/v3/domains.js";
import { ENDPOINTS as ENDPOINTS_V3 } from "../../api/contract/v3/endpoints.js";
import { errorSchema as errorV3 } from "../../api/contract/v3/error.js";
import * as logsV3 from "../../api/contract/v3/logs.js";
import { ruleSchema as ruleV3 } from "../../api/contract/v3/rules.js";
import { accountSchema, planSchema } from "../../api/contract/v4/account.js";
import { aliasSchema, newAliasSchema } from "../../api/contract/v4/aliases.js";
import { credentialSchema, newCredentialSchema } from "../../api/contract/v4/credentials.js";
import { domainSchema, newDomainSchema } from "../../api/contract/v4/domains.js";
import { attachmentSchema, outboundEmailSchema } from "../../api/contract/v4/emails.js";
import { ENDPOINTS as ENDPOINTS_V4 } from "../../api/contract/v4/endpoints.js";
import { errorSchema as errorV4 } from "../../api/contract/v4/error.js";
import * as logsV4 from "../../api/contract/v4/logs.js";
import { newRuleSchema, ruleSchema } from "../../api/contract/v4/rules.js";
import { newTemplateSchema, templateSchema, templateSummarySchema } from "../../api/contract/v4/templates.js";

export type DescribedVersion = "v3" | "v4";

interface VersionFacts {
  readonly endpoints: readonly Endpoint[];
  /** Schemas with a name of their own in the documents (part 2). */
  readonly resources: Readonly<Record<string, z.ZodType>>;
  readonly released: string;
}

const shared = {
  Attachment: attachmentSchema,
  DnsRecords: dnsRecordsSchema,
  FailedEntry: failedEntrySchema,
  NewCredential: newCredentialSchema,
  NewRule: newRuleSchema,
  NewTemplate: newTemplateSchema,
  OutboundEmail: outboundEmailSchema,
  Template: templateSchema,
  TemplateSummary: templateSummarySchema,
};

/** Facts about each version. */
export const API_VERSIONS: Readonly<Record<DescribedVersion, VersionFacts>> = {
  v3: {
    endpoints: ENDPOINTS_V3,
    resources: {
      ...shared,
      Account: accountV3.accountSchema,
      Alias: aliasV3,
      BatchAlias: aliasSchema,
      BatchRule: ruleSchema,
      Credential: credentialV3,
      Domain: domainV3,
      Error: errorV3,
      Limits: accountV3.limitsSchema,
      LogEntry: logsV3.logEntrySchema,
      LogEvent: logsV3.logEventSchema,
      NewAlias: newAliasV3,
      NewDomain: newDomainV3,
      Plan: accountV3.planSchema,
      Rule: ruleV3,
    },
    released: "April 30th, 2020",
  },
  v4: {
    endpoints: ENDPOINTS_V4,
    resources: {
      ...shared,
      Account: accountSchema,
      Alias: aliasSchema,
      Credential: credentialSchema,
      Domain: domainSchema,
      Error: errorV4,
      LogEntry: logsV4.logEntrySchema,
      LogEvent: logsV4.logEventSchema,
      NewAlias: newAliasSchema,
      NewDomain: newDomainSchema,
      Plan: planSchema,
      Rule: ruleSchema,
    },
    released: "August 12th, 2026",
  },
};
