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
import type { MailFile } from "./mails.js";
import type { Conditions } from "./page.js";
import type { Database } from "../../sqlite/driver.js";
import { logConditions, type LogSelection, statusBits } from "./log-filter.js";
import { prepareNumber, prepareQuery } from "./statements.js";

const DAY_MS = 24 * 60 * 60 * 1_000;

export type LogStore = ReturnType<typeof logStore>;

/**
 * The log. Entries are kept for the account's number of days, by the service's clock; expired ones are never returned,
 * even if they are not deleted yet.
 *
 * @param logDelayMs Delay in ms, by the clock, before a new entry appears in the log.
 */
export function logStore(database: Database, clock: ServiceClock, logDelayMs = () => 0) {
  const retentionDays = prepareNumber(
    database,
    `SELECT json_extract(profile, '$.email_log_retention_days')
    FROM domains JOIN accounts ON accounts.id = account_id WHERE domains.id = ?`,
  );
  const domains = database.prepare("SELECT id FROM domains");
  // What is still being forwarded is kept until that has ended.
  const expired = `
    SELECT id FROM log_entries WHERE domain_id = ? AND created_at < ?
      AND NOT EXISTS (SELECT 1 FROM forwards WHERE entry_id = log_entries.id AND due_at IS NOT NULL)
    ORDER BY created_at, seq LIMIT ?`;
  const expiredForwards = database.prepare(
    `SELECT id FROM forwards WHERE mail_seq IS NOT NULL AND entry_id IN (${expired})`,
  );
  const removeExpired = database.prepare(`DELETE FROM log_entries WHERE id IN (${expired}) RETURNING id`);
  const insertEntry = prepareNumber(
    database,
    `INSERT INTO log_entries (id, domain_id, mail_seq, created_at, hostname, message_id, subject, transport, statuses,
      sender_email, sender_name, sender_key, recipient_email, recipient_name, recipient_key, forward_email, forward_name,
      forward_key)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING seq`,
  );
  const insertEvent = database.prepare(`
    INSERT INTO log_events (id, entry_seq, created_at, code, local, message, server, status) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const addStatus = database.prepare("UPDATE log_entries SET statuses = statuses | ? WHERE id = ? RETURNING seq");
  const find = database.prepare(
    "SELECT * FROM log_entries WHERE domain_id = ? AND id = ? AND created_at BETWEEN ? AND ?",
  );
  const findUnshown = database.prepare("SELECT * FROM log_entries WHERE id = ?");
  const byMail = database.prepare("SELECT * FROM log_entries WHERE mail_seq = ? ORDER BY seq");
  const received = database.prepare(
    "SELECT * FROM log_entries WHERE seq > ? AND transport = 'mx' ORDER BY seq DESC LIMIT ?",
  );
  const bySeq = database.prepare("SELECT * FROM log_entries WHERE seq IN (SELECT value FROM json_each(?))");
  const lastSeq = prepareNumber(database, "SELECT coalesce(max(seq), 0) FROM log_entries");
  const events = prepareQuery(
    database,
    eventRow,
    `SELECT id, entry_seq AS entrySeq, created_at AS createdAt, code, local, message, server, status FROM log_events
    WHERE entry_seq IN (SELECT value FROM json_each(?)) ORDER BY seq`,
  );
  const addresses = database.prepare(`
    SELECT sender_email AS address FROM log_entries WHERE domain_id = ?
    UNION SELECT recipient_email FROM log_entries WHERE domain_id = ?`);

  /** The time from which the domain's entries are kept. */
  function horizon(domainId: number): number {
    return clock.now() - retentionDays(domainId) * DAY_MS;
  }

  /** The time up to which entries are shown. */
  function latest(): number {
    const delay = logDelayMs();
    return delay === 0 ? Number.MAX_SAFE_INTEGER : clock.now() - delay;
  }

  function conditions(domainId: number, filter: LogSelection): Conditions {
    const where = logConditions(domainId, horizon(domainId), filter);
    return logDelayMs() === 0 ? where : where.add("created_at <= ?", latest());
  }

  function addEvent(entrySeq: number, event: LogEventRecord): void {
    const { id, createdAt, code, local, message, server, status } = event;
    insertEvent.run(id, entrySeq, createdAt, code, local, message, server, status);
  }

  function withEvents(rows: readonly Record<string, unknown>[]): LogEntryRecord[] {
    const entries = rows.map((columns) => ({ ...entryRow.parse(columns), events: new Array<LogEventRecord>() }));
    const entriesBySeq = new Map(entries.map((entry) => [entry.seq, entry]));
    for (const { entrySeq, ...event } of events.all(JSON.stringify([...entriesBySeq.keys()]))) {
      entriesBySeq.get(entrySeq)?.events.push(event);
    }
    return entries;
  }

  return {
    horizon,
    latest,
    /** Adds an entry. `mailSeq` is the number of its captured email, if there is one. */
    append(domainId: number, mailSeq: number | null, entry: NewLogEntry): void {
      const { sender, recipient, forward } = entry;
      const seq = insertEntry(
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
      for (const event of entry.events) addEvent(seq, event);
    },
    /** Adds a later event to an entry, unless that no longer exists. Must be called in a transaction. */
    appendEvent(entryId: string, event: LogEventRecord): void {
      const entry = addStatus.get(statusBits([event.status]), entryId);
      if (entry) addEvent(Number(entry["seq"]), event);
    },
    find: (domainId: number, id: string): LogEntryRecord | undefined =>
      withEvents(find.all(domainId, id, horizon(domainId), latest()))[0],
    /** An entry, whether or not the log shows it. */
    findUnshown: (id: string): LogEntryRecord | undefined => withEvents(findUnshown.all(id))[0],
    /** The entries of received emails of all domains after an entry, whether or not the log shows them; newest first. */
    receivedAfter: (seq: number, limit: number): LogEntryRecord[] => withEvents(received.all(seq, limit)),
    /** The number of the newest entry; 0 if there is none. */
    lastSeq: () => lastSeq(),
    /** The entries of one captured email, in the order of its recipients. */
    ofMail(mailSeq: number): LogEntryRecord[] {
      const rows = byMail.all(mailSeq);
      const keptFrom = rows[0] ? horizon(Number(rows[0]["domain_id"])) : 0;
      return withEvents(rows).filter(({ createdAt }) => createdAt >= keptFrom);
    },
    /**
     * Deletes expired entries of any domain, at most `limit`. An email is deleted with the last of its entries. Returns
     * the number of entries, and what the files of their emails are called.
     */
    deleteExpired(limit: number): { readonly entries: number; readonly files: readonly MailFile[] } {
      let entries = 0;
      const files: MailFile[] = [];
      for (const { id: domainId } of domains.all()) {
        if (entries === limit) break;
        const range = [Number(domainId), horizon(Number(domainId)), limit - entries] as const;
        files.push(
          ...expiredForwards.all(...range).map(({ id }) => ({ folder: "forwarded" as const, id: String(id) })),
        );
        const deleted = removeExpired.all(...range);
        files.push(...deleted.map(({ id }) => ({ folder: "sent" as const, id: String(id) })));
        entries += deleted.length;
      }
      return { entries, files };
    },
    count(domainId: number, filter: LogSelection): number {
      const where = conditions(domainId, filter);
      return prepareNumber(database, `SELECT count(*) FROM log_entries WHERE ${where.sql}`)(...where.parameters);
    },
    /** Entries by time; entries of the same millisecond in order of arrival. `from` is where to start. */
    list(
      domainId: number,
      filter: LogSelection,
      { order, from, limit }: { order: "asc" | "desc"; from?: LogPosition | undefined; limit: number },
    ): LogEntryRecord[] {
      const where = conditions(domainId, filter);
      if (from) where.add(`(created_at, seq) ${order === "asc" ? ">=" : "<="} (?, ?)`, from.createdAt, from.seq);
      const statement = database.prepare(
        `SELECT * FROM log_entries WHERE ${where.sql} ORDER BY created_at ${order}, seq ${order} LIMIT ?`,
      );
      return withEvents(statement.all(...where.parameters, limit));
    },
    /** Entries with their events, in the order of the given numbers. */
    bySeq(seqs: readonly number[]): LogEntryRecord[] {
      const entries = new Map(withEvents(bySeq.all(JSON.stringify(seqs))).map((entry) => [entry.seq, entry]));
      return seqs.flatMap((seq) => entries.get(seq) ?? []);
    },
    /** The addresses that sent or received an email in the domain's log, as written. */
    addresses: (domainId: number): string[] =>
      addresses.all(domainId, domainId).map((columns) => String(columns["address"])),
  };
}

function addressColumns(mailbox: Mailbox | null): (string | null)[] {
  return mailbox ? [mailbox.email, mailbox.name, mailbox.email.toLowerCase()] : [null, null, null];
}
