/** Accounts, domains, templates, emails and the log. */
const first = `
  CREATE TABLE accounts (
    id INTEGER PRIMARY KEY,
    api_key_sha256 BLOB NOT NULL UNIQUE,
    paid INTEGER NOT NULL,
    -- The account as version 4 shows it: shown, never queried.
    profile TEXT NOT NULL
  ) STRICT;

  CREATE TABLE domains (
    id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts,
    name TEXT NOT NULL UNIQUE,
    forwarding_ready INTEGER NOT NULL,
    send_ready INTEGER NOT NULL,
    banned INTEGER NOT NULL,
    notification_email TEXT,
    notify_when_spam_blocked INTEGER NOT NULL,
    routing_engine TEXT,
    rules_fallback_email TEXT,
    strict_mxes INTEGER NOT NULL,
    whitelabel TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX domains_by_account ON domains (account_id, name);

  CREATE TABLE templates (
    id INTEGER PRIMARY KEY,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    subject TEXT NOT NULL,
    html_body TEXT NOT NULL,
    text_body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (domain_id, name)
  ) STRICT;

  CREATE TABLE mails (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- RFC 5322.
    source BLOB NOT NULL
  ) STRICT;

  CREATE TABLE log_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    mail_seq INTEGER REFERENCES mails,
    created_at INTEGER NOT NULL,
    hostname TEXT NOT NULL,
    message_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    transport TEXT NOT NULL,
    sender_email TEXT NOT NULL,
    sender_name TEXT,
    sender_key TEXT NOT NULL,
    recipient_email TEXT NOT NULL,
    recipient_name TEXT,
    recipient_key TEXT NOT NULL,
    forward_email TEXT,
    forward_name TEXT,
    forward_key TEXT
  ) STRICT;
  CREATE INDEX log_entries_by_time ON log_entries (domain_id, created_at);
  CREATE INDEX log_entries_by_mail ON log_entries (mail_seq);

  CREATE TABLE log_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    entry_seq INTEGER NOT NULL REFERENCES log_entries ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    code INTEGER NOT NULL,
    local TEXT NOT NULL,
    message TEXT NOT NULL,
    server TEXT NOT NULL,
    status TEXT NOT NULL
  ) STRICT;
  CREATE INDEX log_events_by_entry ON log_events (entry_seq, status);
`;

/** Aliases and rules. */
const aliasesAndRules = `
  CREATE TABLE aliases (
    -- Never given twice: version 3 and 4 both address an alias by it.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    alias TEXT NOT NULL,
    alias_key TEXT NOT NULL,
    forward TEXT NOT NULL,
    forward_key TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (domain_id, alias_key)
  ) STRICT;
  CREATE INDEX aliases_by_time ON aliases (domain_id, created_at, id);

  CREATE TABLE rules (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- A UUID, which means the same in either case.
    id TEXT NOT NULL COLLATE NOCASE UNIQUE,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    type TEXT NOT NULL,
    -- As JSON, as both versions show it.
    config TEXT NOT NULL,
    -- The texts of the configuration, for searching.
    config_key TEXT NOT NULL,
    rank REAL NOT NULL,
    active INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX rules_by_rank ON rules (domain_id, rank, seq);
  CREATE INDEX rules_by_time ON rules (domain_id, created_at, seq);
`;

/** Fields of accounts and domains that both versions show, numbers of sent emails, and SMTP credentials. */
const accountAndDomainFields = `
  ALTER TABLE domains ADD COLUMN webhook TEXT;
  -- Since the first credential was added, until DKIM and DMARC were found.
  ALTER TABLE domains ADD COLUMN smtp_blocked INTEGER NOT NULL DEFAULT 0;

  CREATE TABLE credentials (
    id INTEGER PRIMARY KEY,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    username TEXT NOT NULL,
    username_key TEXT NOT NULL,
    -- scrypt, with its parameters and salt.
    password_hash TEXT NOT NULL,
    usage INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    UNIQUE (domain_id, username_key)
  ) STRICT;

  CREATE TABLE account_sends (
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- Days since 1970, UTC.
    day INTEGER NOT NULL,
    mails INTEGER NOT NULL,
    PRIMARY KEY (account_id, day)
  ) STRICT, WITHOUT ROWID;
`;

/** Columns by which the log is filtered and searched, and cascading deletes of its entries. */
const logSearch = `
  -- The statuses of an entry's events, a bit for each (log-filter.ts).
  ALTER TABLE log_entries ADD COLUMN statuses INTEGER NOT NULL DEFAULT 0;
  UPDATE log_entries SET statuses = (
    SELECT coalesce(sum(bit), 0) FROM (
      SELECT DISTINCT CASE status WHEN 'QUEUED' THEN 1 WHEN 'DELIVERED' THEN 2 WHEN 'SOFT-BOUNCE' THEN 4
        WHEN 'HARD-BOUNCE' THEN 8 WHEN 'BOUNCED' THEN 16 ELSE 32 END AS bit
      FROM log_events WHERE entry_seq = log_entries.seq
    )
  );
  CREATE INDEX log_entries_by_recipient ON log_entries (domain_id, recipient_key, created_at);

  -- A captured mail is kept as long as the log has an entry of it.
  CREATE TRIGGER mail_without_entry AFTER DELETE ON log_entries WHEN old.mail_seq IS NOT NULL BEGIN
    DELETE FROM mails WHERE seq = old.mail_seq
      AND NOT EXISTS (SELECT 1 FROM log_entries WHERE mail_seq = old.mail_seq);
  END;

  -- How many domains were deleted: a number that another domain may have again is known by it.
  CREATE TABLE deleted_domains (count INTEGER NOT NULL) STRICT;
  INSERT INTO deleted_domains VALUES (0);
  CREATE TRIGGER domain_deleted AFTER DELETE ON domains BEGIN
    UPDATE deleted_domains SET count = count + 1;
  END;
`;

/** Future events of emails, and webhook posts about them. */
const delivery = `
  -- Mails that were accepted and are not composed yet; until then their source is empty.
  CREATE TABLE drafts (
    mail_seq INTEGER PRIMARY KEY REFERENCES mails ON DELETE CASCADE,
    -- JSON: outbound/draft.ts.
    draft TEXT NOT NULL
  ) STRICT;

  -- What will happen to an entry of the log.
  CREATE TABLE coming_events (
    seq INTEGER PRIMARY KEY,
    entry_id TEXT NOT NULL REFERENCES log_entries (id) ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    -- The event's id, which it keeps however often it is tried to add it.
    id TEXT NOT NULL,
    code INTEGER NOT NULL,
    message TEXT NOT NULL,
    status TEXT NOT NULL
  ) STRICT;
  CREATE INDEX coming_events_by_time ON coming_events (due_at);
  CREATE INDEX coming_events_by_entry ON coming_events (entry_id);

  -- What is to be posted to webhooks, until it was taken or given up.
  CREATE TABLE webhook_posts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    domain_id INTEGER NOT NULL REFERENCES domains ON DELETE CASCADE,
    due_at INTEGER NOT NULL,
    -- How often it was tried.
    attempts INTEGER NOT NULL DEFAULT 0,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX webhook_posts_by_time ON webhook_posts (due_at);
  CREATE INDEX webhook_posts_by_domain ON webhook_posts (domain_id);
`;

/** The service's latest time. */
const time = `
  CREATE TABLE reached (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    time INTEGER NOT NULL
  ) STRICT;
  -- The newest time of templates without reading their bodies.
  CREATE INDEX templates_by_time ON templates (updated_at);
`;

/** The template and variables that an email was rendered from, as JSON. */
const mailTemplates = `
  ALTER TABLE mails ADD COLUMN template TEXT;
`;

/** Number of an email's attachments, without images that the HTML embeds. */
const mailAttachments = `
  ALTER TABLE mails ADD COLUMN attachments INTEGER NOT NULL DEFAULT 0;
`;

/** Received emails and where they are forwarded to. */
const forwarding = `
  CREATE TABLE received (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    -- Of the envelope; empty for bounces.
    sender TEXT NOT NULL,
    -- RFC 5322.
    source BLOB NOT NULL,
    -- Number of attachments.
    attachments INTEGER NOT NULL,
    -- The email from elsewhere that led to this one, if it was forwarded from an address of the service to another.
    origin_seq INTEGER
  ) STRICT;
  CREATE INDEX received_by_origin ON received (origin_seq) WHERE origin_seq IS NOT NULL;

  CREATE TABLE forwards (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    received_seq INTEGER NOT NULL REFERENCES received,
    entry_id TEXT NOT NULL REFERENCES log_entries (id) ON DELETE CASCADE,
    destination TEXT NOT NULL,
    -- Whether it tells the sender that a delivery failed.
    is_notice INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    -- When it is tried next; null once it has ended.
    due_at INTEGER,
    -- The captured email, if it was not delivered elsewhere.
    mail_seq INTEGER REFERENCES mails ON DELETE SET NULL
  ) STRICT;
  CREATE INDEX forwards_by_time ON forwards (due_at) WHERE due_at IS NOT NULL;
  CREATE INDEX forwards_by_entry ON forwards (entry_id);
  CREATE INDEX forwards_by_received ON forwards (received_seq);
  CREATE INDEX forwards_by_mail ON forwards (mail_seq);

  -- A received email is kept as long as the log has an entry of it.
  CREATE TRIGGER received_without_forward AFTER DELETE ON forwards BEGIN
    DELETE FROM received WHERE seq = old.received_seq
      AND NOT EXISTS (SELECT 1 FROM forwards WHERE received_seq = old.received_seq);
    DELETE FROM mails WHERE seq = old.mail_seq;
  END;

  -- sent or forwarded (mails.ts).
  ALTER TABLE mails ADD COLUMN folder TEXT NOT NULL DEFAULT 'sent';
  CREATE INDEX mails_by_folder ON mails (folder, seq);

  -- Mails whose source is known and whose files are not written yet.
  CREATE TABLE unfiled (
    mail_seq INTEGER PRIMARY KEY REFERENCES mails ON DELETE CASCADE
  ) STRICT;

  CREATE TABLE account_receives (
    account_id INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- Days since 1970, UTC.
    day INTEGER NOT NULL,
    mails INTEGER NOT NULL,
    PRIMARY KEY (account_id, day)
  ) STRICT, WITHOUT ROWID;

  -- Signs rewritten senders.
  CREATE TABLE secrets (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    secret BLOB NOT NULL
  ) STRICT;
  INSERT INTO secrets VALUES (1, randomblob(32));

  -- So far no domain forwarded anything, and none could be set to.
  UPDATE domains SET routing_engine = 'alias' WHERE routing_engine IS NULL;
`;

/** The private key that signs sent emails, as PEM; null until the first one. */
const signing = `
  ALTER TABLE secrets ADD COLUMN dkim_key TEXT;
`;

/**
 * The database's migrations, oldest first: entry n leads from `user_version` n to n + 1. Released entries never change.
 *
 * Times are milliseconds since 1970. Each resource has its own number (`id`, or `seq` if `id` is the string that is on
 * the wire): version 3 shows numbers where version 4 shows strings. Addresses are stored as written and, for
 * comparisons, in lower case (`…_key`), because SQLite's lower() only handles ASCII.
 */
export const migrations: readonly string[] = [
  first,
  aliasesAndRules,
  accountAndDomainFields,
  logSearch,
  delivery,
  time,
  mailTemplates,
  mailAttachments,
  forwarding,
  signing,
];
