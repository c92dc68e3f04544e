import type { Mailbox } from "../mailbox.js";
import type { Database } from "./driver.js";
import { type LogFilter, logConditions } from "./log-filter.js";
import {
  entryRow,
  eventRow,
  type LogEntryRecord,
  type LogEventRecord,
  type LogPosition,
  type NewLogEntry,
} from "./log-rows.js";

export class LogStore {
  readonly #database;
  readonly #insertEntry;
  readonly #insertEvent;
  readonly #find;
  readonly #byMail;
  readonly #bySeq;
  readonly #events;

  constructor(database: Database) {
    this.#database = database;
    this.#insertEntry = database.prepare(`
      INSERT INTO log_entries (id, domain_id, mail_seq, created_at, hostname, message_id, subject, transport, sender_email,
        sender_name, sender_key, recipient_email, recipient_name, recipient_key, forward_email, forward_name, forward_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING seq`);
    this.#insertEvent = database.prepare(`
      INSERT INTO log_events (id, entry_seq, created_at, code, local, message, server, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#find = database.prepare("SELECT * FROM log_entries WHERE domain_id = ? AND id = ?");
    this.#byMail = database.prepare("SELECT * FROM log_entries WHERE mail_seq = ? ORDER BY seq");
    this.#bySeq = database.prepare("SELECT * FROM log_entries WHERE seq IN (SELECT value FROM json_each(?))");
    this.#events = database.prepare(`
      SELECT id, entry_seq AS entrySeq, created_at AS createdAt, code, local, message, server, status FROM log_events
      WHERE entry_seq IN (SELECT value FROM json_each(?)) ORDER BY seq`);
  }

  /** Adds an entry; `mailSeq` is the captured mail that it is about, where there is one. */
  append(domainId: number, mailSeq: number | null, entry: NewLogEntry): void {
    const { sender, recipient, forward } = entry;
    const inserted = this.#insertEntry.get(
      entry.id,
      domainId,
      mailSeq,
      entry.createdAt,
      entry.hostname,
      entry.messageId,
      entry.subject,
      entry.transport,
      ...[sender, recipient, forward].flatMap(addressColumns),
    );
    const seq = Number(inserted?.["seq"]);
    for (const event of entry.events) {
      this.#insertEvent.run(
        event.id,
        seq,
        event.createdAt,
        event.code,
        event.local,
        event.message,
        event.server,
        event.status,
      );
    }
  }

  find(domainId: number, id: string): LogEntryRecord | undefined {
    const columns = this.#find.get(domainId, id);
    return columns && this.#withEvents([columns])[0];
  }

  /** The entries of one captured mail, in the order of its recipients. */
  ofMail(mailSeq: number): LogEntryRecord[] {
    return this.#withEvents(this.#byMail.all(mailSeq));
  }

  count(domainId: number, filter: LogFilter): number {
    const where = logConditions(domainId, filter);
    const counted = this.#database
      .prepare(`SELECT count(*) AS total FROM log_entries WHERE ${where.sql}`)
      .get(...where.parameters);
    return Number(counted?.["total"]);
  }

  /** Entries by time; those of the same millisecond in the order in which they came. `from` is the first to return. */
  list(
    domainId: number,
    filter: LogFilter,
    page: { order: "asc" | "desc"; from?: LogPosition | undefined; limit: number },
  ): LogEntryRecord[] {
    const where = logConditions(domainId, filter);
    if (page.from) {
      where.add(`(created_at, seq) ${page.order === "asc" ? ">=" : "<="} (?, ?)`, page.from.createdAt, page.from.seq);
    }
    const rows = this.#database
      .prepare(
        `SELECT * FROM log_entries WHERE ${where.sql} ORDER BY created_at ${page.order}, seq ${page.order} LIMIT ?`,
      )
      .all(...where.parameters, page.limit);
    return this.#withEvents(rows);
  }

  /** Every entry that the filter lets through, newest first, without its events: what a search looks through. */
  candidates(domainId: number, filter: LogFilter): Omit<LogEntryRecord, "events">[] {
    const where = logConditions(domainId, filter);
    return this.#database
      .prepare(`SELECT * FROM log_entries WHERE ${where.sql} ORDER BY created_at DESC, seq DESC`)
      .all(...where.parameters)
      .map((columns) => entryRow.parse(columns));
  }

  /** Entries with their events, in the order of the numbers given. */
  bySeq(seqs: readonly number[]): LogEntryRecord[] {
    const entries = new Map(this.#withEvents(this.#bySeq.all(JSON.stringify(seqs))).map((entry) => [entry.seq, entry]));
    return seqs.flatMap((seq) => entries.get(seq) ?? []);
  }

  #withEvents(rows: readonly Record<string, unknown>[]): LogEntryRecord[] {
    const entries = rows.map((columns) => ({ ...entryRow.parse(columns), events: new Array<LogEventRecord>() }));
    const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
    for (const columns of this.#events.all(JSON.stringify([...bySeq.keys()]))) {
      const { entrySeq, ...event } = eventRow.parse(columns);
      bySeq.get(entrySeq)?.events.push(event);
    }
    return entries;
  }
}

function addressColumns(mailbox: Mailbox | null): (string | null)[] {
  return mailbox ? [mailbox.email, mailbox.name, mailbox.email.toLowerCase()] : [null, null, null];
}
