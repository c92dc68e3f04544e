import type { ServiceClock } from "../clock.js";
import {
  entryRow,
  eventRow,
  type LogEntryRecord,
  type LogEventRecord,
  type LogPosition,
  type Mailbox,
  type NewLogEntry,
} from "./log-rows.js";
import type { Conditions } from "./page.js";
import type { Database } from "../../sqlite/driver.js";
import { logConditions, type LogSelection, statusBits } from "./log-filter.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** How long log entries are kept: the account's number of days, by the service's clock. */
class LogRetention {
  readonly #clock;
  readonly #days;
  readonly #domains;
  readonly #delete;

  constructor(database: Database, clock: ServiceClock) {
    this.#clock = clock;
    this.#days = database.prepare(`
      SELECT json_extract(profile, '$.email_log_retention_days') AS days
      FROM domains JOIN accounts ON accounts.id = account_id WHERE domains.id = ?`);
    this.#domains = database.prepare("SELECT id FROM domains");
    this.#delete = database.prepare(`
      DELETE FROM log_entries WHERE seq IN (
        SELECT seq FROM log_entries WHERE domain_id = ? AND created_at < ? ORDER BY created_at LIMIT ?
      ) RETURNING id`);
  }

  /** The time from which the domain's entries are kept. */
  horizon(domainId: number): number {
    return this.#clock.now() - Number(this.#days.get(domainId)?.["days"]) * DAY_MS;
  }

  /**
   * Deletes expired entries, at most `limit`, and returns their ids. An email is deleted with the last of its entries.
   */
  deleteExpired(limit: number): string[] {
    const deleted: string[] = [];
    for (const { id } of this.#domains.all()) {
      if (deleted.length === limit) break;
      const rows = this.#delete.all(Number(id), this.horizon(Number(id)), limit - deleted.length);
      deleted.push(...rows.map((columns) => String(columns["id"])));
    }
    return deleted;
  }
}

/** The log. Entries that have expired are never returned, even if they are not deleted yet. */
export class LogStore {
  readonly #database;
  readonly #clock;
  readonly #logDelayMs;
  readonly #retention;
  readonly #insertEntry;
  readonly #insertEvent;
  readonly #addStatus;
  readonly #find;
  readonly #findUnshown;
  readonly #byMail;
  readonly #bySeq;
  readonly #events;
  readonly #addresses;

  constructor(database: Database, clock: ServiceClock, logDelayMs = () => 0) {
    this.#database = database;
    this.#clock = clock;
    this.#logDelayMs = logDelayMs;
    this.#retention = new LogRetention(database, clock);
    this.#insertEntry = database.prepare(`
      INSERT INTO log_entries (id, domain_id, mail_seq, created_at, hostname, message_id, subject, transport, statuses,
        sender_email, sender_name, sender_key, recipient_email, recipient_name, recipient_key, forward_email, forward_name,
        forward_key)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING seq`);
    this.#insertEvent = database.prepare(`
      INSERT INTO log_events (id, entry_seq, created_at, code, local, message, server, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#addStatus = database.prepare("UPDATE log_entries SET statuses = statuses | ? WHERE id = ? RETURNING seq");
    this.#find = database.prepare(
      "SELECT * FROM log_entries WHERE domain_id = ? AND id = ? AND created_at BETWEEN ? AND ?",
    );
    this.#findUnshown = database.prepare("SELECT * FROM log_entries WHERE id = ?");
    this.#byMail = database.prepare("SELECT * FROM log_entries WHERE mail_seq = ? ORDER BY seq");
    this.#bySeq = database.prepare("SELECT * FROM log_entries WHERE seq IN (SELECT value FROM json_each(?))");
    this.#events = database.prepare(`
      SELECT id, entry_seq AS entrySeq, created_at AS createdAt, code, local, message, server, status FROM log_events
      WHERE entry_seq IN (SELECT value FROM json_each(?)) ORDER BY seq`);
    this.#addresses = database.prepare(`
      SELECT sender_key AS address FROM log_entries WHERE domain_id = ?
      UNION SELECT recipient_key FROM log_entries WHERE domain_id = ?`);
  }

  /** Adds an entry. `mailSeq` is the number of its captured email, if there is one. */
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
      statusBits(entry.events.map(({ status }) => status)),
      ...[sender, recipient, forward].flatMap(addressColumns),
    );
    const seq = Number(inserted?.["seq"]);
    for (const event of entry.events) this.#appendEvent(seq, event);
  }

  /** Adds a later event to an entry. False if the entry no longer exists. Must be called in a transaction. */
  appendEvent(entryId: string, event: LogEventRecord): boolean {
    const entry = this.#addStatus.get(statusBits([event.status]), entryId);
    if (entry) this.#appendEvent(Number(entry["seq"]), event);
    return entry !== undefined;
  }

  find(domainId: number, id: string): LogEntryRecord | undefined {
    const columns = this.#find.get(domainId, id, this.horizon(domainId), this.latest());
    return columns && this.#withEvents([columns])[0];
  }

  /** An entry, whether or not the log shows it. */
  findUnshown(id: string): LogEntryRecord | undefined {
    const columns = this.#findUnshown.get(id);
    return columns && this.#withEvents([columns])[0];
  }

  /** The entries of one captured email, in the order of its recipients. */
  ofMail(mailSeq: number): LogEntryRecord[] {
    const rows = this.#byMail.all(mailSeq);
    const horizon = rows[0] ? this.horizon(Number(rows[0]["domain_id"])) : 0;
    return this.#withEvents(rows).filter(({ createdAt }) => createdAt >= horizon);
  }

  /** The time from which the domain's entries are kept. */
  horizon(domainId: number): number {
    return this.#retention.horizon(domainId);
  }

  /** The time up to which entries are shown. */
  latest(): number {
    const delay = this.#logDelayMs();
    return delay === 0 ? Number.MAX_SAFE_INTEGER : this.#clock.now() - delay;
  }

  /** Deletes expired entries of any domain, at most `limit`, and returns their ids. */
  deleteExpired(limit: number): string[] {
    return this.#retention.deleteExpired(limit);
  }

  count(domainId: number, filter: LogSelection): number {
    const where = this.#conditions(domainId, filter);
    const counted = this.#database
      .prepare(`SELECT count(*) AS total FROM log_entries WHERE ${where.sql}`)
      .get(...where.parameters);
    return Number(counted?.["total"]);
  }

  /** Entries by time; entries of the same millisecond in order of arrival. `from` is where to start. */
  list(
    domainId: number,
    filter: LogSelection,
    page: { order: "asc" | "desc"; from?: LogPosition | undefined; limit: number },
  ): LogEntryRecord[] {
    const where = this.#conditions(domainId, filter);
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

  /** Entries with their events, in the order of the given numbers. */
  bySeq(seqs: readonly number[]): LogEntryRecord[] {
    const entries = new Map(this.#withEvents(this.#bySeq.all(JSON.stringify(seqs))).map((entry) => [entry.seq, entry]));
    return seqs.flatMap((seq) => entries.get(seq) ?? []);
  }

  /** The domain's addresses that sent or received an email in the log, in lower case. */
  addressesAt(domainId: number, domain: string): string[] {
    const rows = this.#addresses.all(domainId, domainId);
    return rows.map((columns) => String(columns["address"])).filter((address) => address.endsWith(`@${domain}`));
  }

  #conditions(domainId: number, filter: LogSelection): Conditions {
    const where = logConditions(domainId, this.horizon(domainId), filter);
    return this.#logDelayMs() === 0 ? where : where.add("created_at <= ?", this.latest());
  }

  #appendEvent(entrySeq: number, event: LogEventRecord): void {
    const { id, createdAt, code, local, message, server, status } = event;
    this.#insertEvent.run(id, entrySeq, createdAt, code, local, message, server, status);
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
