/** Future events of emails, and webhook posts about them. */
export const delivery = `
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
