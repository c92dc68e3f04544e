type Members = Readonly<Record<string, string>>;

const forward = "Where to: email addresses and webhooks, separated by commas.";

const rule: Members = {
  id: "A UUID; the service makes one where it is left out.",
  config: "What the rule's type needs.",
  rank: "Rules are tried from the lowest rank on. Default: the next largest.",
  active: "Whether the rule is tried. Default true.",
};

const alias: Members = { alias: "The local part of the address; `*` for every other one.", forward };

const domain: Members = {
  domain: "The domain's name, which cannot be changed.",
  notification_email: "Where notifications go; null for the account's address.",
  whitelabel: "The parent domain that DNS settings show; null for none.",
};

const template: Members = {
  name: "Unique within the domain: lower-case letters, digits, hyphens and underscores, a letter or digit first.",
  description: "At most 500 characters.",
  subject: "May have Mustache. At most 250 characters.",
  html_body: "May have Mustache. At most 100,000 characters.",
  text_body: "May have Mustache. At most 100,000 characters.",
};

/** What the members of the named schemas are (part 2 of both documents), where their names alone don't say it. */
export const MEMBERS: Readonly<Record<string, Members>> = {
  Account: {
    email_log_retention_days: "After how many days log entries are deleted.",
    locked: "Null where the account is not locked.",
    over_quota: "Whether the plan's limit of mails is used up.",
    country: "A country code.",
  },
  Alias: alias,
  BatchAlias: alias,
  NewAlias: alias,
  Attachment: {
    filename: "Executable files' extensions are blocked.",
    content: "Base64. All attachments together have at most 10 MB, decoded.",
    content_type: "Inferred from the file name where it is left out.",
    content_id: "For images that the html names as `cid:`.",
  },
  Credential: { username: "The local part of the mailbox." },
  NewCredential: { username: "The local part of the mailbox.", password: "Can be written, never read." },
  DnsRecords: {
    provider: "Who hosts the domain's DNS.",
    error: "Why MX is not configured correctly; else null.",
  },
  Domain: {
    ...domain,
    forwarding_ready: "Whether the MX records resolve to the service.",
    send_ready: "Whether the domain is ready to send.",
    routing_engine: "Null where routing is disabled.",
    webhook: "Where the events of the domain's mails are posted; null for none.",
    aliases: "At most 200 of them.",
    active: "Whether the service forwards the domain's mail.",
    added: "Milliseconds since 1970.",
  },
  NewDomain: domain,
  Error: {
    message: "Can be shown. Repeats the first field's first message, where there is one.",
    errors: "Messages by field; `{}` where no field is wrong.",
  },
  FailedEntry: { index: "The entry's position in the array that was sent, from 0." },
  LogEntry: {
    id: "`<digits of a timestamp>.<hexadecimal digits>`",
    events: "What became of the mail, oldest first.",
    forward: "Where it was forwarded to; null where it was not.",
    message_id: "The Message-ID of RFC 5322, which all recipients' entries share.",
    messageId: "The Message-ID of RFC 5322, which all recipients' entries share.",
    transport: "`mx` for forwarded mail, `smtp` for submitted, `api` for sent through the API.",
    created: "Milliseconds since 1970; in an earlier form a text.",
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
    subject: "Required unless the template has one, which it then overrides. May have Mustache.",
    text: "One of `text` and `html` is required without a template.",
    html: "One of `text` and `html` is required without a template.",
    template: "The name of a saved template; `text` and `html` are then ignored.",
    variables: "What fills the template's Mustache; only with `template`.",
    attachments: "At most 25.",
  },
};
