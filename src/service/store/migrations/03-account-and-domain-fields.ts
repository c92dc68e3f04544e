/** Fields of accounts and domains that both versions show, numbers of sent emails, and SMTP credentials. */
export const accountAndDomainFields = `
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
