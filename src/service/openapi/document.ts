import { z } from "zod";
import { failedEntrySchema } from "../../api/contract/batch.js";
import { dnsRecordsSchema, domainSchema, newDomainSchema } from "../../api/contract/v4/domains.js";
import { COMMON_REFUSALS, type Endpoint, type DocumentedRefusal } from "../../api/contract/endpoint.js";
import { undocumented } from "../../api/contract/open-enum.js";
import * as accountV3 from "../../api/contract/v3/account.js";
import { aliasSchema as aliasV3, newAliasSchema as newAliasV3 } from "../../api/contract/v3/aliases.js";
import { credentialSchema as credentialV3 } from "../../api/contract/v3/credentials.js";
import { domainSchema as domainV3, newDomainSchema as newDomainV3 } from "../../api/contract/v3/domains.js";
import { ruleSchema as ruleV3 } from "../../api/contract/v3/rules.js";
import { ENDPOINTS as ENDPOINTS_V3 } from "../../api/contract/v3/endpoints.js";
import { errorSchema as errorV3 } from "../../api/contract/v3/formats.js";
import * as logsV3 from "../../api/contract/v3/logs.js";
import { accountSchema, planSchema } from "../../api/contract/v4/account.js";
import { aliasSchema, newAliasSchema } from "../../api/contract/v4/aliases.js";
import { credentialSchema, newCredentialSchema } from "../../api/contract/v4/credentials.js";
import { attachmentSchema, outboundEmailSchema } from "../../api/contract/v4/emails.js";
import { newTemplateSchema, templateSchema, templateSummarySchema } from "../../api/contract/v4/templates.js";
import { ENDPOINTS as ENDPOINTS_V4 } from "../../api/contract/v4/endpoints.js";
import { errorSchema as errorV4 } from "../../api/contract/v4/formats.js";
import * as logsV4 from "../../api/contract/v4/logs.js";
import { newRuleSchema, ruleSchema } from "../../api/contract/v4/rules.js";
import { receivedAttachmentSchema, receivedEmailSchema } from "../inbound/webhook-post.js";
import { describeMembers, describeParameter } from "./descriptions.js";
import { describeWebhooks } from "./webhooks.js";

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
  ReceivedAttachment: receivedAttachmentSchema,
  ReceivedEmail: receivedEmailSchema,
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

/** The OpenAPI 3.1 document of one version, generated from the contract that client and service share. */
export function openApiDocument(version: DescribedVersion): Readonly<Record<string, unknown>> {
  const { endpoints, resources, released } = API_VERSIONS[version];
  const schemas = new Schemas(resources);
  const { paths, tags } = operationsOf(endpoints, schemas);
  return {
    openapi: "3.1.1",
    info: {
      title: "Email forwarding service",
      version: `${version.slice(1)}.0.0`,
      description: `Version ${version.slice(1)} of the service's API, released on ${released}.`,
    },
    servers: [{ url: `/${version}` }],
    security: [{ apiKey: [] }],
    tags,
    paths,
    webhooks: describeWebhooks(schemas.of(receivedEmailSchema)),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "basic", description: "The user name is `api`, the password is the API key." },
      },
      headers: RATE_HEADERS,
      responses: refusalsOf(COMMON_REFUSALS),
      schemas: schemas.named,
    },
  };
}

/** Every endpoint as an operation of its path, with the tags that group them. */
function operationsOf(
  endpoints: readonly Endpoint[],
  schemas: Schemas,
): { readonly paths: Json; readonly tags: Json[] } {
  const paths = new Map<string, Record<string, Json>>();
  for (const alike of sameAddress(endpoints)) {
    const [{ path, method }] = alike;
    const operations = paths.get(path) ?? {};
    operations[method.toLowerCase()] = operationOf(alike, schemas);
    paths.set(path, operations);
  }
  return {
    paths: Object.fromEntries([...paths].map(([path, operations]) => [path.replace(PARAMETER, "{$1}"), operations])),
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name })),
  };
}

const PARAMETER = /:(\w+)/g;

type Alike = readonly [Endpoint, ...Endpoint[]];

/** OpenAPI has one operation for endpoints that differ only in the value of a parameter. */
function sameAddress(endpoints: readonly Endpoint[]): Alike[] {
  const byAddress = new Map<string, Alike>();
  for (const endpoint of endpoints) {
    const address = `${endpoint.method} ${endpoint.path.replace(PARAMETER, ":")}`;
    const before = byAddress.get(address);
    byAddress.set(address, before ? [...before, endpoint] : [endpoint]);
  }
  return [...byAddress.values()];
}

function operationOf(alike: Alike, schemas: Schemas): Json {
  const [endpoint] = alike;
  return {
    operationId: alike.map(({ id }) => id).join("-or-"),
    summary: alike.map(({ summary }) => summary).join("; or: "),
    tags: [tagOf(endpoint)],
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, schemas)],
    ...(endpoint.body && { requestBody: { required: true, content: jsonContent(schemas.of(endpoint.body)) } }),
    responses: responsesOf(alike, schemas),
  };
}

function pathParameters({ id, path }: Endpoint): Json[] {
  return [...path.matchAll(PARAMETER)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: describeParameter("path", id, name),
    schema: { type: "string" },
  }));
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});

function queryParameters({ id, query }: Endpoint, schemas: Schemas): Json[] {
  if (!query) return [];
  const { properties, required } = objectSchema.parse(schemas.of(query));
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    description: describeParameter("query", id, name),
    schema,
  }));
}

function tagOf({ id }: Endpoint): string {
  return id.slice(0, id.indexOf("."));
}

const RATE_HEADERS = {
  "X-RateLimit-Limit": { description: "Maximum number of requests in the window", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in the window", schema: { type: "integer" } },
  "X-RateLimit-Reset": { description: "When the window ends, in Unix seconds", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds to wait", schema: { type: "integer" } },
} as const;

/** All responses of the endpoints that share an operation, by status. */
function responsesOf(alike: readonly Endpoint[], schemas: Schemas): Json {
  const common = COMMON_REFUSALS.map(({ status }) => [status, { $ref: `#/components/responses/${status}` }]);
  return {
    ...answersOf(alike, schemas),
    ...refusalsOf(alike.flatMap(({ refusals }) => refusals)),
    ...Object.fromEntries(common),
  };
}

function answersOf(alike: readonly Endpoint[], schemas: Schemas): Json {
  const statuses = [...new Set(alike.flatMap(({ answers }) => Object.keys(answers)))];
  return Object.fromEntries(
    statuses.map((status) => {
      const bodies = alike.flatMap(({ answers }) => answers[Number(status)] ?? []).map((schema) => schemas.of(schema));
      const [first, ...others] = bodies;
      const content = first && jsonContent(others.length > 0 ? { anyOf: bodies } : first);
      return [status, { description: descriptions[status], headers: rateHeaders(), ...(content && { content }) }];
    }),
  );
}

const descriptions: Readonly<Record<string, string>> = {
  200: "Success",
  204: "Deleted",
  207: "Some entries failed",
};

/** Refusals by status, with their conditions. */
function refusalsOf(refusals: readonly (DocumentedRefusal | (typeof COMMON_REFUSALS)[number])[]): Json {
  const statuses = [...new Set(refusals.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const conditions = new Set(refusals.filter((refusal) => refusal.status === status).map(({ when }) => when));
      const headers = rateHeaders(status === 429);
      const content = jsonContent({ $ref: "#/components/schemas/Error" });
      return [String(status), { description: sentence([...conditions].join("; ")), headers, content }];
    }),
  );
}

function rateHeaders(withRetryAfter = false): Json {
  const names = Object.keys(RATE_HEADERS).filter((name) => withRetryAfter || name !== "Retry-After");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function jsonContent(schema: Json): Json {
  return { "application/json": { schema } };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

type Json = Readonly<Record<string, unknown>>;

const jsonSchema = z.looseObject({ $defs: z.record(z.string(), z.unknown()).optional() });

/** The contract's schemas as JSON Schema. Named schemas are written once and referenced. */
class Schemas {
  readonly #names = z.registry<{ id: string }>();
  readonly #named = new Map<string, unknown>();

  /** @param named Schemas by their names under `#/components/schemas/`. */
  constructor(named: Readonly<Record<string, z.ZodType>>) {
    for (const [id, schema] of Object.entries(named)) this.#names.add(schema, { id });
    for (const schema of Object.values(named)) this.of(schema);
  }

  /** The schema of the input: the client's transforms of responses never appear on the wire. */
  of(schema: z.ZodType): Json {
    const written = z.toJSONSchema(schema, {
      io: "input",
      metadata: this.#names,
      override: ({ zodSchema, jsonSchema: json }) => {
        describeOpen(zodSchema, json);
        simplify(json);
      },
      unrepresentable: "any",
    });
    const referring = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...json } = jsonSchema.parse(JSON.parse(referring));
    for (const [id, definition] of Object.entries($defs)) this.#named.set(id, describeMembers(id, definition));
    return json;
  }

  /** The named schemas. */
  get named(): Json {
    return Object.fromEntries([...this.#named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** Describes only the values that the service's documents list; clients also accept others. */
function describeOpen(schema: z.core.$ZodTypes, json: z.core.JSONSchema.BaseSchema): void {
  Object.assign(json, z.globalRegistry.get(schema));
  if (!(schema instanceof z.ZodUnion)) return;
  const documented = schema.options.map((option) => !undocumented.has(option));
  if (documented.every(Boolean)) return;
  const kept = json.anyOf?.filter((_, index) => documented[index]) ?? [];
  delete json.anyOf;
  Object.assign(json, kept.length === 1 ? kept[0] : { anyOf: kept });
}

/** Removes patterns that repeat a format, and the limits of JavaScript's safe integers. */
function simplify(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
