/** Columns by which the log is filtered and searched, and cascading deletes of its entries. */
export const logSearch = `
  -- The statuses of an entry's events, a bit for each (log-status.ts).
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
