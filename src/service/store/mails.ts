import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";
import { prepareNumber, prepareQuery } from "./statements.js";

const row = z.object({
  seq: z.int(),
  /** In RFC 5322 format; empty if there is only a draft. Of a forwarded email: with the headers that came before it. */
  source: z.instanceof(Uint8Array),
  /** JSON of an email that has not been composed yet. */
  draft: z.string().nullable(),
  /** JSON of the template it was rendered from; null if the request contained the content. */
  template: z.string().nullable(),
});

export type MailRecord = Readonly<z.infer<typeof row>>;

const draftRow = row.pick({ seq: true }).extend({ draft: z.string() });

export type DraftRecord = Readonly<z.infer<typeof draftRow>>;

const NOT_COMPOSED = new Uint8Array();

/**
 * `sent`: emails that applications send through the API or submit by SMTP. `forwarded`: received emails, as their
 * destinations would get them.
 */
export type MailFolder = "sent" | "forwarded";

const forwardRow = z.object({ id: z.string(), entryId: z.string(), destination: z.string() });

/** Captured emails: what they consist of, and their sources once they are composed. Their recipients are in the log. */
export function capturedMailStore(database: Database) {
  const insert = prepareNumber(
    database,
    "INSERT INTO mails (source, template, attachments, folder) VALUES (?, ?, ?, ?) RETURNING seq",
  );
  const insertDraft = database.prepare("INSERT INTO drafts (mail_seq, draft) VALUES (?, ?)");
  const nextDraft = prepareQuery(
    database,
    draftRow,
    "SELECT mail_seq AS seq, draft FROM drafts WHERE mail_seq > ? ORDER BY mail_seq LIMIT 1",
  );
  const newestDraft = prepareNumber(database, "SELECT coalesce(max(mail_seq), 0) FROM drafts");
  const setSource = database.prepare("UPDATE mails SET source = ? WHERE seq = ?");
  const release = database.prepare(
    "UPDATE log_entries SET mail_seq = NULL WHERE mail_seq BETWEEN ? AND ? RETURNING id",
  );
  const remove = database.prepare("DELETE FROM mails WHERE seq BETWEEN ? AND ?");
  const total = prepareNumber(database, "SELECT count(*) FROM mails WHERE folder = ?");
  const removeDraft = database.prepare("DELETE FROM drafts WHERE mail_seq = ?");
  const page = database.prepare("SELECT seq FROM mails WHERE folder = ? AND seq < ? ORDER BY seq DESC LIMIT ?");
  const after = database.prepare(`
    SELECT DISTINCT mail_seq AS seq FROM (
      SELECT 'sent' AS folder, mail_seq, recipient_key AS address FROM log_entries
      UNION ALL SELECT 'forwarded', mail_seq, lower(destination) FROM forwards
    ) WHERE folder = ? AND mail_seq > ? AND address = coalesce(?, address)
    ORDER BY mail_seq LIMIT ?`);
  const lastSeq = prepareNumber(database, "SELECT coalesce(max(seq), 0) FROM mails");
  const attachments = prepareNumber(database, "SELECT attachments FROM mails WHERE seq = ?");
  const find = prepareQuery(
    database,
    row,
    `SELECT mails.seq, CAST(mails.source || coalesce(received.source, x'') AS BLOB) AS source, draft, template FROM (
      SELECT id, mail_seq, NULL AS received_seq FROM log_entries UNION ALL SELECT id, mail_seq, received_seq FROM forwards
    ) AS known JOIN mails ON mails.seq = known.mail_seq LEFT JOIN drafts ON drafts.mail_seq = mails.seq
    LEFT JOIN received ON received.seq = known.received_seq
    WHERE known.id = ?`,
  );
  const forwardOf = prepareQuery(
    database,
    forwardRow,
    "SELECT id, entry_id AS entryId, destination FROM forwards WHERE mail_seq = ?",
  );

  return {
    /** Adds an email that will be composed later. */
    createDraft(draft: string, template: string | null = null, attachmentCount = 0): number {
      const seq = insert(NOT_COMPOSED, template, attachmentCount, "sent");
      insertDraft.run(seq, draft);
      return seq;
    },
    /**
     * Adds an email whose source is known. Of a forwarded one, this is only what comes before the received email, which
     * all destinations share.
     */
    create: (folder: MailFolder, source: Uint8Array, attachmentCount: number) =>
      insert(source, null, attachmentCount, folder),
    /** Where a forwarded email went. Undefined for a sent one. */
    forwardOf: (seq: number) => forwardOf.first(seq),
    /** The next email after one that has not been composed yet. */
    nextDraft: (seq: number) => nextDraft.first(seq),
    /** The number of the newest email that has not been composed yet; 0 if all have. */
    newestDraft: () => newestDraft(),
    /**
     * Replaces an email's draft by its source. False if the email was deleted meanwhile. Must be called in a transaction.
     */
    setSource(seq: number, source: Uint8Array): boolean {
      const { changes } = setSource.run(source, seq);
      removeDraft.run(seq);
      return Number(changes) > 0;
    },
    /**
     * Deletes the emails in a range of numbers and returns their log ids. The log keeps its entries. Must be called in a
     * transaction.
     */
    delete(first: number, last: number): string[] {
      const ids = release.all(first, last).map((columns) => String(columns["id"]));
      remove.run(first, last);
      return ids;
    },
    total: (folder: MailFolder) => total(folder),
    /** The numbers of the newest emails, or of those before one; newest first. */
    newest: (folder: MailFolder, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      page.all(folder, before, limit).map(({ seq }) => Number(seq)),
    /** The numbers of the emails after one, all or those to an address; oldest first. */
    after: (folder: MailFolder, first: number, recipient: string | undefined, limit: number) =>
      after.all(folder, first, recipient?.toLowerCase() ?? null, limit).map(({ seq }) => Number(seq)),
    /** The number of the newest email; 0 if there is none. */
    lastSeq: () => lastSeq(),
    /** Number of an existing email's attachments, without images that the HTML embeds. */
    attachmentsOf: (seq: number) => attachments(seq),
    /** The email with this log id of any of its recipients. */
    findByLogId: (id: string) => find.first(id),
  };
}
