import { BODY_MAX, DESCRIPTION_MAX, SUBJECT_MAX } from "../../api/limits.js";
import { isRecord } from "../../values.js";

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

/** The most specific description: for this endpoint, otherwise for this resource, otherwise for any. */
export function describeParameter(kind: "path" | "query", endpoint: string, name: string): string | undefined {
  const descriptions = kind === "path" ? PATH_PARAMETERS : QUERY_PARAMETERS;
  const [resource] = endpoint.split(".");
  return descriptions[`${endpoint} ${name}`] ?? descriptions[`${resource} ${name}`] ?? descriptions[name];
}

/** Adds descriptions to the members of a named schema, in each of its forms. */
export function describeMembers(name: string, schema: unknown): unknown {
  const texts = MEMBERS[name];
  if (!texts || !isRecord(schema)) return schema;
  const { properties, oneOf } = schema;
  if (Array.isArray(oneOf)) return { ...schema, oneOf: oneOf.map((form) => describeMembers(name, form)) };
  if (!isRecord(properties)) return schema;
  const described = Object.entries(properties).map(([member, property]) => {
    const description = texts[member];
    return [member, isRecord(property) && description !== undefined ? { ...property, description } : property];
  });
  return { ...schema, properties: Object.fromEntries(described) };
}

type Members = Readonly<Record<string, string>>;

const forward = "Destinations: email addresses and webhooks, separated by commas.";

const rule: Members = {
  id: "A UUID. Generated if left out.",
  config: "Depends on the rule's type.",
  rank: "Rules are evaluated in order of their rank, lowest first. Default: the next largest rank.",
  active: "Whether the rule is evaluated. Default true.",
};

const alias: Members = { alias: "The local part of the address, or `*` for every other address.", forward };

const domain: Members = {
  domain: "The domain's name. It cannot be changed.",
  notification_email: "The address for notifications. Null for the account's address.",
  whitelabel: "The parent domain shown in DNS settings. Null for none.",
};

const BODY = `Supports Mustache. At most ${BODY_MAX.toLocaleString("en-US")} characters.`;

const template: Members = {
  name: "Unique within the domain. Lowercase letters, digits, hyphens and underscores; starts with a letter or digit.",
  description: `At most ${DESCRIPTION_MAX} characters.`,
  subject: `Supports Mustache. At most ${SUBJECT_MAX} characters.`,
  html_body: BODY,
  text_body: BODY,
};

/** Descriptions of the named schemas' members (part 2 of both documents), where their names alone are not enough. */
const MEMBERS: Readonly<Record<string, Members>> = {
  Account: {
    email_log_retention_days: "Number of days after which log entries are deleted.",
    locked: "Null if the account is not locked.",
    over_quota: "Whether the plan's send limit is used up.",
    country: "A country code.",
  },
  Alias: alias,
  BatchAlias: alias,
  NewAlias: alias,
  Attachment: {
    filename: "Extensions of executable files are blocked.",
    content: "In base64. At most 10 MB for all attachments together, decoded.",
    content_type: "Inferred from the file name if left out.",
    content_id: "For images that the HTML references as `cid:`.",
  },
  Credential: { username: "The local part of the mailbox." },
  NewCredential: { username: "The local part of the mailbox.", password: "Write-only." },
  DnsRecords: {
    provider: "The domain's DNS provider.",
    error: "Why MX is not configured correctly, or null.",
  },
  Domain: {
    ...domain,
    forwarding_ready: "Whether the MX records resolve to the service.",
    send_ready: "Whether the domain is ready to send.",
    routing_engine: "Null if routing is disabled.",
    webhook: "The URL to which events of the domain's emails are posted. Null for none.",
    aliases: "At most 200 aliases.",
    active: "Whether the service forwards the domain's mail.",
    added: "Milliseconds since 1970.",
  },
  NewDomain: domain,
  Error: {
    message: "Can be shown to users. Repeats the first message of the first field, if there is one.",
    errors: "Messages by field; `{}` if no field is invalid.",
  },
  FailedEntry: { index: "The entry's position in the array that was sent, starting at 0." },
  LogEntry: {
    id: "`<digits of a timestamp>.<hexadecimal digits>`",
    events: "The email's delivery events, oldest first.",
    forward: "The address it was forwarded to, or null.",
    message_id: "The Message-ID (RFC 5322), shared by the entries of all recipients.",
    messageId: "The Message-ID (RFC 5322), shared by the entries of all recipients.",
    transport: "`mx` for forwarded mail, `smtp` for submitted email, `api` for email sent through the API.",
    created: "Milliseconds since 1970; a string in an earlier form.",
  },
  LogEvent: { code: "The SMTP code." },
  Rule: rule,
  BatchRule: rule,
  NewRule: rule,
  NewTemplate: template,
  Template: template,
  TemplateSummary: template,
  OutboundEmail: {
    from: "The local part of the sender's address.",
    subject: "Required unless the template has one. Overrides the template's subject. Supports Mustache.",
    text: "`text` or `html` is required without a template.",
    html: "`text` or `html` is required without a template.",
    template: "The name of a saved template. `text` and `html` are then ignored.",
    variables: "Values for the template's Mustache tags. Only used with `template`.",
    attachments: "At most 25.",
  },
  ReceivedAttachment: {
    filename: "`attachment-1`, by its position, if the email does not name it.",
    content_id: "Without angle brackets, as in `cid:` URLs of the HTML; null if it has none.",
    content: "In base64.",
  },
  ReceivedEmail: {
    id: "The delivery's id, the same for each try.",
    envelope: "The sender is empty for bounces. The recipient is the address at the domain.",
    headers: "In the order of the email, names as written.",
    message_id: "The Message-ID (RFC 5322), or null.",
    text: "The text body, or null.",
    html: "The HTML body, or null.",
    raw: "The whole message in RFC 5322 format, in base64. Only if the webhook's URL ends with `#raw`.",
  },
};
