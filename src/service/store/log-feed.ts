import { logStatusSchema, type LogTransport, transportSchema } from "../../api/contract/v4/logs.js";
import type { Mailbox, SearchedEntry } from "./log-rows.js";
import type { Database } from "../../sqlite/driver.js";
import { statusBits } from "./log-filter.js";
import { prepareNumber } from "./statements.js";

const COLUMNS = `seq, domain_id, created_at, subject, transport, statuses, sender_email, sender_name, recipient_email,
  recipient_name, forward_email, forward_name`;

export type LogFeed = ReturnType<typeof logFeed>;

/** Reads what was added to the log since the last time, for a search index. */
export function logFeed(database: Database) {
  const entries = database.prepare(`SELECT ${COLUMNS} FROM log_entries WHERE seq > ? ORDER BY seq LIMIT ?`);
  const statuses = database.prepare("SELECT entry_seq, status FROM log_events WHERE seq > ? AND entry_seq <= ?");
  const lastEvent = prepareNumber(database, "SELECT coalesce(max(seq), 0) FROM log_events");
  const deletedDomains = prepareNumber(database, "SELECT count FROM deleted_domains");

  return {
    /** The next entries after one, in order of arrival. */
    entriesAfter: (seq: number, limit: number) => entries.all(seq, limit).map(searchedEntry),
    /** The statuses of events after an event, as bits, by the number of their entry, for entries up to one. */
    statusesAfter(eventSeq: number, lastEntry: number): ReadonlyMap<number, number> {
      const added = new Map<number, number>();
      for (const { entry_seq: entry, status } of statuses.all(eventSeq, lastEntry)) {
        const bits = statusBits([logStatusSchema.parse(status)]);
        added.set(Number(entry), (added.get(Number(entry)) ?? 0) | bits);
      }
      return added;
    },
    lastEvent: () => lastEvent(),
    /**
     * Grows when a domain is deleted: entries that were read before may be gone, and the domain's number may be reused.
     */
    deletedDomains: () => deletedDomains(),
  };
}

function searchedEntry(columns: Record<string, unknown>): SearchedEntry {
  return {
    seq: Number(columns["seq"]),
    domainId: Number(columns["domain_id"]),
    createdAt: Number(columns["created_at"]),
    subject: String(columns["subject"]),
    transport: transport(columns["transport"]),
    statuses: Number(columns["statuses"]),
    sender: mailbox(columns["sender_email"], columns["sender_name"]),
    recipient: mailbox(columns["recipient_email"], columns["recipient_name"]),
    forward: columns["forward_email"] === null ? null : mailbox(columns["forward_email"], columns["forward_name"]),
  };
}

/** Checked by hand, because a parser takes too long for 100,000 rows. */
function transport(value: unknown): LogTransport {
  return value === "api" || value === "mx" || value === "smtp" ? value : transportSchema.parse(value);
}

function mailbox(email: unknown, name: unknown): Mailbox {
  return { email: String(email), name: typeof name === "string" ? name : null };
}
