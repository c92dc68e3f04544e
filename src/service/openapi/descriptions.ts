import { MEMBERS } from "./members.js";

/* Descriptions of parameters and members in the OpenAPI documents, where the name alone is not enough. */

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  domain: "The domain's name, case-insensitive.",
  "aliases id": "The alias's id.",
  "aliases alias": "The alias, or its integer id.",
  "rules rule": "The rule's id.",
  "logs id": "The log entry's id.",
  "logs alias": "The alias. A regular expression must be URL-encoded.",
  "credentials username": "The credential's user name.",
  "templates name": "The template's name.",
};

const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  "domains query": "A substring of the domain's name.",
  "domains q": "A substring of the domain's name.",
  "aliases query": "A substring of the alias or of its destinations.",
  "aliases q": "A substring of the alias or of its destinations.",
  "aliases alias": "A prefix of the alias.",
  "rules query": "A substring of the rule.",
  "rules search": "A substring of the rule.",
  "logs.search query": "Words in subject, sender, recipient or forward. Typos are tolerated.",
  "logs.search sender": "A substring of the sender's address, case-insensitive.",
  "logs.search recipient": "A substring of the recipient's address, case-insensitive.",
  "logs.search forward": "A substring of the address that the email was forwarded to, case-insensitive.",
  "logs.search text": "A substring of subject, sender, recipient or destination, case-insensitive.",
  "logs.search filter": "`failure` for bounces only.",
  all: "A guard against deleting everything by accident.",
  forwarding_ready: "Whether the domain's MX records resolve to the service.",
  send_ready: "Whether the domain is ready to send.",
  is_active: "1 for active, 0 for inactive.",
  whitelabel: "The exact brand, or `null` for domains without one.",
  routing_engine: "`null` for domains whose routing is disabled.",
  order: "Sort order.",
  limit: "Items per page.",
  page: "Starts at 1.",
  offset: "Number of items to skip.",
  cursor: "The log id to start from: the `next_cursor` of the previous response.",
  next_cursor: "A log id. The page contains the entries after it.",
  sender: "The sender's address, case-insensitive.",
  recipient: "The recipient's address, case-insensitive.",
  forward: "The address that the email was forwarded to, case-insensitive.",
  status:
    "One or more of QUEUED, DELIVERED, SOFT-BOUNCE, HARD-BOUNCE, BOUNCED and REFUSED, separated by commas. Returns entries with an event of any of them.",
  transport:
    "`mx` for forwarded mail, `smtp` for email submitted with a credential, `api` for email sent through the API.",
  after: "Entries received after this time.",
  before: "Entries received before this time.",
};

/** The description of a path parameter, such as `id` of `aliases.get`. */
export function describePathParameter(endpoint: string, name: string): string | undefined {
  return lookUp(PATH_PARAMETERS, endpoint, name);
}

export function describeQueryParameter(endpoint: string, name: string): string | undefined {
  return lookUp(QUERY_PARAMETERS, endpoint, name);
}

/** The most specific description: for this endpoint, otherwise for this resource, otherwise for any. */
function lookUp(descriptions: Readonly<Record<string, string>>, endpoint: string, name: string): string | undefined {
  const [resource] = endpoint.split(".");
  return descriptions[`${endpoint} ${name}`] ?? descriptions[`${resource} ${name}`] ?? descriptions[name];
}

/** Adds descriptions to the members of a named schema, in each of its forms. */
export function describeMembers(name: string, schema: unknown): unknown {
  const texts = MEMBERS[name];
  if (!texts || !isObject(schema)) return schema;
  const { properties, oneOf } = schema;
  if (Array.isArray(oneOf)) return { ...schema, oneOf: oneOf.map((form) => describeMembers(name, form)) };
  if (!isObject(properties)) return schema;
  const described = Object.entries(properties).map(([member, property]) => {
    const description = texts[member];
    return [member, isObject(property) && description !== undefined ? { ...property, description } : property];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
