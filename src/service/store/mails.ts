import { z } from "zod";
import type { Database } from "../../sqlite/driver.js";

const row = z.object({
  seq: z.int(),
  /** In RFC 5322 format; empty if there is only a draft. */
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

/** Sent emails: what they consist of, and their sources once they are composed. Their recipients are in the log. */
export class CapturedMailStore {
  readonly #insert;
  readonly #insertDraft;
  readonly #nextDraft;
  readonly #newestDraft;
  readonly #setSource;
  readonly #release;
  readonly #delete;
  readonly #total;
  readonly #deleteDraft;
  readonly #page;
  readonly #after;
  readonly #newest;
  readonly #attachments;
  readonly #find;

  constructor(database: Database) {
    this.#insert = database.prepare("INSERT INTO mails (source, template, attachments) VALUES (?, ?, ?) RETURNING seq");
    this.#insertDraft = database.prepare("INSERT INTO drafts (mail_seq, draft) VALUES (?, ?)");
    this.#nextDraft = database.prepare(
      "SELECT mail_seq AS seq, draft FROM drafts WHERE mail_seq > ? ORDER BY mail_seq LIMIT 1",
    );
    this.#newestDraft = database.prepare("SELECT coalesce(max(mail_seq), 0) AS seq FROM drafts");
    this.#setSource = database.prepare("UPDATE mails SET source = ? WHERE seq = ?");
    this.#release = database.prepare(
      "UPDATE log_entries SET mail_seq = NULL WHERE mail_seq BETWEEN ? AND ? RETURNING id",
    );
    this.#delete = database.prepare("DELETE FROM mails WHERE seq BETWEEN ? AND ?");
    this.#total = database.prepare("SELECT count(*) AS total FROM mails");
    this.#deleteDraft = database.prepare("DELETE FROM drafts WHERE mail_seq = ?");
    this.#page = database.prepare("SELECT seq FROM mails WHERE seq < ? ORDER BY seq DESC LIMIT ?");
    this.#after = database.prepare(`
      SELECT DISTINCT mail_seq AS seq FROM log_entries WHERE mail_seq > ? AND recipient_key = coalesce(?, recipient_key)
      ORDER BY mail_seq LIMIT ?`);
    this.#newest = database.prepare("SELECT coalesce(max(seq), 0) AS seq FROM mails");
    this.#attachments = database.prepare("SELECT attachments FROM mails WHERE seq = ?");
    this.#find = database.prepare(`
      SELECT mails.seq, source, draft, template FROM log_entries
      JOIN mails ON mails.seq = log_entries.mail_seq LEFT JOIN drafts ON drafts.mail_seq = mails.seq
      WHERE log_entries.id = ?`);
  }

  /** Adds an email that will be composed later. */
  createDraft(draft: string, template: string | null = null, attachments = 0): number {
    const seq = Number(this.#insert.get(NOT_COMPOSED, template, attachments)?.["seq"]);
    this.#insertDraft.run(seq, draft);
    return seq;
  }

  /** The next email after one that has not been composed yet. */
  nextDraft(after: number): DraftRecord | undefined {
    const columns = this.#nextDraft.get(after);
    return columns && draftRow.parse(columns);
  }

  /** The number of the newest email that has not been composed yet; 0 if all have. */
  newestDraft(): number {
    return Number(this.#newestDraft.get()?.["seq"]);
  }

  /**
   * Replaces an email's draft by its source. False if the email was deleted meanwhile. Must be called in a transaction.
   */
  setSource(seq: number, source: Uint8Array): boolean {
    const { changes } = this.#setSource.run(source, seq);
    this.#deleteDraft.run(seq);
    return Number(changes) > 0;
  }

  /**
   * Deletes the emails in a range of numbers and returns their log ids. The log keeps its entries. Must be called in a
   * transaction.
   */
  delete(first: number, last: number): string[] {
    const ids = this.#release.all(first, last).map((columns) => String(columns["id"]));
    this.#delete.run(first, last);
    return ids;
  }

  total(): number {
    return Number(this.#total.get()?.["total"]);
  }

  /** The numbers of the newest emails, or of those before one; newest first. */
  newest(limit: number, before = Number.MAX_SAFE_INTEGER): number[] {
    return this.#page.all(before, limit).map((columns) => Number(columns["seq"]));
  }

  /** The numbers of the emails after one, all or those to an address; oldest first. */
  after(seq: number, recipient: string | undefined, limit: number): number[] {
    const rows = this.#after.all(seq, recipient?.toLowerCase() ?? null, limit);
    return rows.map((columns) => Number(columns["seq"]));
  }

  /** The number of the newest email; 0 if there is none. */
  lastSeq(): number {
    return Number(this.#newest.get()?.["seq"]);
  }

  /** Number of an email's attachments, without images that the HTML embeds. */
  attachmentsOf(seq: number): number {
    return Number(this.#attachments.get(seq)?.["attachments"] ?? 0);
  }

  /** The email with this log id of any of its recipients. */
  findByLogId(id: string): MailRecord | undefined {
    const columns = this.#find.get(id);
    return columns && row.parse(columns);
  }
}
