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

const unfiledRow = row.pick({ seq: true, draft: true });

/** An email whose files have not been written. Without a draft, its source is known. */
export type UnfiledRecord = Readonly<z.infer<typeof unfiledRow>>;

const NOT_COMPOSED = new Uint8Array();

/**
 * `sent`: emails that applications send through the API or submit by SMTP. `forwarded`: received emails, as their
 * destinations would get them.
 */
export type MailFolder = "sent" | "forwarded";

/** One folder, or both. */
export type MailScope = MailFolder | "all";

/** A condition for one parameter, a `MailScope`. */
const IN_FOLDER = "folder = coalesce(nullif(?, 'all'), folder)";

/** Identifies an email's files: its folder, and the id that the captured email has. */
export interface MailFile {
  readonly folder: MailFolder;
  readonly id: string;
}

const fileRow = z.object({ folder: z.enum(["sent", "forwarded"]), id: z.string() });

const forwardRow = z.object({
  id: z.string(),
  entryId: z.string(),
  destination: z.string(),
  /** Whether it tells a sender that a delivery failed. */
  isNotice: z.int().transform(Boolean),
});

/** Where a forwarded email went. */
export type ForwardedRecord = Readonly<z.infer<typeof forwardRow>>;

/** Captured emails: what they consist of, and their sources once they are composed. Their recipients are in the log. */
export function capturedMailStore(database: Database) {
  const insert = prepareNumber(
    database,
    "INSERT INTO mails (source, template, attachments, folder) VALUES (?, ?, ?, ?) RETURNING seq",
  );
  const insertDraft = database.prepare("INSERT INTO drafts (mail_seq, draft) VALUES (?, ?)");
  const insertUnfiled = database.prepare("INSERT INTO unfiled VALUES (?)");
  const nextUnfiled = prepareQuery(
    database,
    unfiledRow,
    `SELECT seq, draft FROM (
      SELECT mail_seq AS seq, draft FROM drafts UNION ALL SELECT mail_seq, NULL FROM unfiled
    ) WHERE seq > ? ORDER BY seq LIMIT 1`,
  );
  const newestUnfiled = prepareNumber(
    database,
    "SELECT max((SELECT coalesce(max(mail_seq), 0) FROM drafts), (SELECT coalesce(max(mail_seq), 0) FROM unfiled))",
  );
  const file = prepareQuery(
    database,
    fileRow,
    `SELECT folder, coalesce(
      (SELECT id FROM forwards WHERE mail_seq = mails.seq),
      (SELECT id FROM log_entries WHERE mail_seq = mails.seq ORDER BY log_entries.seq LIMIT 1)
    ) AS id FROM mails WHERE mails.seq = ?`,
  );
  const filesOfDomain = prepareQuery(
    database,
    fileRow,
    `SELECT 'sent' AS folder, id FROM log_entries WHERE domain_id = ? AND mail_seq IS NOT NULL
    UNION ALL SELECT 'forwarded', forwards.id FROM forwards JOIN log_entries ON log_entries.id = entry_id
    WHERE domain_id = ? AND forwards.mail_seq IS NOT NULL`,
  );
  const setSource = database.prepare("UPDATE mails SET source = ? WHERE seq = ?");
  const exists = prepareNumber(database, "SELECT count(*) FROM mails WHERE seq = ?");
  const forwardFiles = prepareQuery(
    database,
    fileRow,
    `SELECT 'forwarded' AS folder, forwards.id FROM forwards JOIN mails ON mails.seq = mail_seq
    WHERE mails.seq BETWEEN ? AND ? AND ${IN_FOLDER}`,
  );
  const release = prepareQuery(
    database,
    fileRow,
    `UPDATE log_entries SET mail_seq = NULL WHERE mail_seq IN (
      SELECT seq FROM mails WHERE seq BETWEEN ? AND ? AND ${IN_FOLDER}
    ) RETURNING 'sent' AS folder, id`,
  );
  const remove = database.prepare(`DELETE FROM mails WHERE seq BETWEEN ? AND ? AND ${IN_FOLDER}`);
  const total = prepareNumber(database, `SELECT count(*) FROM mails WHERE ${IN_FOLDER}`);
  const removeDraft = database.prepare("DELETE FROM drafts WHERE mail_seq = ?");
  const removeUnfiled = database.prepare("DELETE FROM unfiled WHERE mail_seq = ?");
  const page = database.prepare("SELECT seq FROM mails WHERE folder = ? AND seq < ? ORDER BY seq DESC LIMIT ?");
  const pageOfAll = database.prepare("SELECT seq FROM mails WHERE seq < ? ORDER BY seq DESC LIMIT ?");
  const after = database.prepare(`
    SELECT DISTINCT mail_seq AS seq FROM (
      SELECT 'sent' AS folder, mail_seq, recipient_key AS address FROM log_entries
      UNION ALL SELECT 'forwarded', mail_seq, lower(destination) FROM forwards
    ) WHERE ${IN_FOLDER} AND mail_seq > ? AND address = coalesce(?, address)
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
    "SELECT id, entry_id AS entryId, destination, is_notice AS isNotice FROM forwards WHERE mail_seq = ?",
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
    create(folder: MailFolder, source: Uint8Array, attachmentCount: number): number {
      const seq = insert(source, null, attachmentCount, folder);
      insertUnfiled.run(seq);
      return seq;
    },
    /** Where a forwarded email went. Undefined for a sent one. */
    forwardOf: (seq: number) => forwardOf.first(seq),
    /** The next email after one whose files have not been written yet. */
    nextUnfiled: (seq: number) => nextUnfiled.first(seq),
    /** The number of the newest email whose files have not been written yet; 0 if all have. */
    newestUnfiled: () => newestUnfiled(),
    /** What an email's files are called. */
    fileOf: (seq: number): MailFile | undefined => file.first(seq),
    /** What the files of a domain's emails are called. */
    filesOfDomain: (domainId: number): MailFile[] => filesOfDomain.all(domainId, domainId),
    /**
     * Records that an email has its files, and the source of one that was a draft. False if the email was deleted
     * meanwhile. Must be called in a transaction.
     */
    setFiled(seq: number, composed: Uint8Array | undefined): boolean {
      if (composed) setSource.run(composed, seq);
      removeDraft.run(seq);
      removeUnfiled.run(seq);
      return exists(seq) > 0;
    },
    /**
     * Deletes the emails in a range of numbers and returns what their files are called. The log keeps its entries. Must
     * be called in a transaction.
     */
    delete(first: number, last: number, folder: MailScope): MailFile[] {
      const files = [...release.all(first, last, folder), ...forwardFiles.all(first, last, folder)];
      remove.run(first, last, folder);
      return files;
    },
    total: (folder: MailScope) => total(folder),
    /** The numbers of the newest emails, or of those before one; newest first. */
    newest: (folder: MailScope, limit: number, before = Number.MAX_SAFE_INTEGER) =>
      (folder === "all" ? pageOfAll.all(before, limit) : page.all(folder, before, limit)).map(({ seq }) => Number(seq)),
    /** The numbers of the emails after one, all or those to an address; oldest first. */
    after: (folder: MailScope, first: number, recipient: string | undefined, limit: number) =>
      after.all(folder, first, recipient?.toLowerCase() ?? null, limit).map(({ seq }) => Number(seq)),
    /** The number of the newest email; 0 if there is none. */
    lastSeq: () => lastSeq(),
    /** Number of an existing email's attachments, without images that the HTML embeds. */
    attachmentsOf: (seq: number) => attachments(seq),
    /** The email with this log id of any of its recipients. */
    findByLogId: (id: string) => find.first(id),
  };
}
