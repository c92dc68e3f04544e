import { z } from "zod";
import type { Database } from "./driver.js";

const row = z.object({
  seq: z.int(),
  /** RFC 5322. */
  source: z.instanceof(Uint8Array),
});

export type MailRecord = Readonly<z.infer<typeof row>>;

/** The sources of the mails that were sent. Who got one is in the log. */
export class MailStore {
  readonly #insert;
  readonly #page;
  readonly #find;

  constructor(database: Database) {
    this.#insert = database.prepare("INSERT INTO mails (source) VALUES (?) RETURNING seq");
    this.#page = database.prepare("SELECT seq FROM mails WHERE seq < ? ORDER BY seq DESC LIMIT ?");
    this.#find = database.prepare(`
      SELECT mails.seq, mails.source FROM mails JOIN log_entries ON log_entries.mail_seq = mails.seq WHERE log_entries.id = ?`);
  }

  create(source: Uint8Array): number {
    return Number(this.#insert.get(source)?.["seq"]);
  }

  /** The numbers of the newest mails, or of those before one. */
  newest(limit: number, before = Number.MAX_SAFE_INTEGER): number[] {
    return this.#page.all(before, limit).map((columns) => Number(columns["seq"]));
  }

  /** The mail that this log id, of any of its recipients, is about. */
  findByLogId(id: string): MailRecord | undefined {
    const columns = this.#find.get(id);
    return columns && row.parse(columns);
  }
}
