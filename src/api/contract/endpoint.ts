import type { z } from "zod";

/** One endpoint of the service, as documented. */
export interface Endpoint {
  /** Resource and operation, as in the client: `domains.list`. */
  readonly id: string;
  readonly summary: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Without the version's prefix; a segment `:name` is a parameter. */
  readonly path: string;
  /** The query parameters, as strings. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** By status. Without a schema, the answer has no body. */
  readonly answers: Readonly<Record<number, z.ZodType | undefined>>;
  /** The endpoint's refusals, in addition to those of every endpoint. */
  readonly refusals: readonly DocumentedRefusal[];
}

/** The endpoints of a version, by id. */
export type EndpointTable = Readonly<Record<string, Omit<Endpoint, "id">>>;

export function endpointsOf(table: EndpointTable): readonly Endpoint[] {
  return Object.entries(table).map(([id, endpoint]) => ({ id, ...endpoint }));
}

export interface DocumentedRefusal {
  /** Its name in the contract's table (docs/contract.md). */
  readonly name: string;
  readonly status: 400 | 403 | 404;
  /** A condition: "the name is taken". */
  readonly when: string;
}

/**
 * Answers that any endpoint may give: for missing or invalid credentials, over the rate limit, or when the service
 * fails.
 */
export const COMMON_REFUSALS = [
  { status: 401, when: "credentials are missing or invalid" },
  { status: 429, when: "more requests a minute than the endpoint takes" },
  { status: 500, when: "the service failed" },
] as const;

/** Refusals that several endpoints share, with the phrases that descriptions and tests use. */
export const refused = {
  parameter: { name: "parameter", status: 400, when: "a parameter is incorrect" },
  field: { name: "field", status: 400, when: "a field is missing or incorrect" },
  batchSize: { name: "batchSize", status: 400, when: "there are more than 500 items" },
  guard: { name: "guard", status: 400, when: "all=true is missing" },
  premium: { name: "premium", status: 403, when: "the plan does not include it" },
  domain: { name: "domain", status: 404, when: "the domain is not in the account" },
  alias: { name: "alias", status: 404, when: "the domain has no such alias" },
  rule: { name: "rule", status: 404, when: "the domain has no such rule" },
  ruleConfig: { name: "ruleConfig", status: 400, when: "the configuration does not fit the type or does not compile" },
  log: { name: "log", status: 404, when: "the domain has no log entry of this id" },
  credential: { name: "credential", status: 404, when: "the domain has no such credential" },
  template: { name: "template", status: 404, when: "the domain has no template of this name" },
} as const satisfies Record<string, DocumentedRefusal>;

/** Refusals of sending (part 7). */
export const sendRefusals: readonly DocumentedRefusal[] = [
  { name: "missing", status: 400, when: "from, to or subject is missing" },
  { name: "noBody", status: 400, when: "there is no text and no html" },
  { name: "address", status: 400, when: "an address in to, cc, bcc or reply_to is invalid" },
  { name: "variables", status: 400, when: "variables is not a JSON object" },
  { name: "mustache", status: 400, when: "the Mustache of the template's subject or body is malformed" },
  {
    name: "attachment",
    status: 400,
    when: "an attachment lacks its filename or content, or has invalid base64 or an invalid content_type",
  },
  { name: "attachments", status: 400, when: "attachments is not an array" },
  { name: "extension", status: 400, when: "a file's extension is blocked" },
  { name: "tooMuch", status: 400, when: "the attachments are larger than 10 MB, or more than 25" },
  refused.premium,
  { name: "dns", status: 403, when: "the domain's DNS is not configured for sending" },
  refused.domain,
  refused.template,
];

/** Refusals of creating a template (part 7). */
export const newTemplateRefusals: readonly DocumentedRefusal[] = [
  { name: "nameMissing", status: 400, when: "the name is missing" },
  { name: "nameFormat", status: 400, when: "the name's format is invalid" },
  { name: "tooLong", status: 400, when: "a field is too long" },
  { name: "mustache", status: 400, when: "the Mustache is invalid" },
  { name: "nameTaken", status: 400, when: "the name is taken" },
  { name: "tooMany", status: 400, when: "the domain has 200 templates" },
  refused.premium,
  refused.domain,
];

/** Refusals of updating a template (part 7). */
export const templateChangeRefusals: readonly DocumentedRefusal[] = [
  { name: "nameFormat", status: 400, when: "the name's format is invalid" },
  { name: "tooLong", status: 400, when: "a field is too long" },
  { name: "mustache", status: 400, when: "the Mustache is invalid" },
  { name: "nameTaken", status: 400, when: "the new name is taken" },
  refused.domain,
  refused.template,
];
