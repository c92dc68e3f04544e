/** Accounts, domains, templates, emails and the log. */
export const first = `
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
