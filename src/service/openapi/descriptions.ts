import { MEMBERS } from "./members.js";

/* What a reader of the OpenAPI documents is told of parameters and members, where the name alone does not say it. */

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  domain: "The domain's name; its case does not matter.",
  "aliases id": "The alias' id.",
  "aliases alias": "The alias, or its integer id.",
  "rules rule": "The rule's id.",
  "logs id": "The log entry's id.",
  "logs alias": "The alias; a regular expression URL-encoded.",
  "credentials username": "The credential's user name.",
  "templates name": "The template's name.",
};

const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  "domains query": "A part of the domain's name.",
  "domains q": "A part of the domain's name.",
  "aliases query": "A part of the alias or of its destinations.",
  "aliases q": "A part of the alias or of its destinations.",
  "aliases alias": "What the alias begins with.",
  "rules query": "A part of the rule.",
  "rules search": "A part of the rule.",
  "logs.search query": "Words of subject, sender, recipient or forward; typing errors are forgiven.",
  "logs.search sender": "A part of the sender's address, in any case.",
  "logs.search recipient": "A part of the recipient's address, in any case.",
  "logs.search forward": "A part of the address that it was forwarded to, in any case.",
  "logs.search text": "A part of subject, sender, recipient or destination, in any case.",
  "logs.search filter": "`failure` for bounces only.",
  all: "A guard against wiping everything by accident.",
  forwarding_ready: "Whether the domain's MX records resolve to the service.",
  send_ready: "Whether the domain is ready to send.",
  is_active: "1 for what is active, 0 for what is not.",
  whitelabel: "The exact brand, or `null` for domains without one.",
  routing_engine: "`null` for domains whose routing is disabled.",
  order: "What comes first.",
  limit: "Items on a page.",
  page: "From 1.",
  offset: "How many items to leave out.",
  cursor: "The log id to start from: the answer's `next_cursor`.",
  next_cursor: "A log id; the page has the entries after it.",
  sender: "The sender's address, in any case.",
  recipient: "The recipient's address, in any case.",
  forward: "The address that it was forwarded to, in any case.",
  status:
    "One or several, separated by commas, of QUEUED, DELIVERED, SOFT-BOUNCE, HARD-BOUNCE, BOUNCED and REFUSED: entries with an event of one of them.",
  transport:
    "`mx` for forwarded mail, `smtp` for what was submitted with a credential, `api` for what was sent through the API.",
  after: "Entries received after this time.",
  before: "Entries received before this time.",
};

/** What a parameter of an endpoint's path is: of `aliases.get`, `id`. */
export function describePathParameter(endpoint: string, name: string): string | undefined {
  return lookUp(PATH_PARAMETERS, endpoint, name);
}

export function describeQueryParameter(endpoint: string, name: string): string | undefined {
  return lookUp(QUERY_PARAMETERS, endpoint, name);
}

/** What is said of it at this endpoint, else at this resource, else anywhere. */
function lookUp(descriptions: Readonly<Record<string, string>>, endpoint: string, name: string): string | undefined {
  const [resource] = endpoint.split(".");
  return descriptions[`${endpoint} ${name}`] ?? descriptions[`${resource} ${name}`] ?? descriptions[name];
}

/** A named schema with its members described, in each of its forms. */
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
