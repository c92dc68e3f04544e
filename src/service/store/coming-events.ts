import { z } from "zod";
import { logStatusSchema } from "../../api/contract/v4/logs.js";
import type { Database } from "../../sqlite/driver.js";
import { NEVER, prepareNumber, prepareQuery } from "./statements.js";

/** A future event of an email, without the entry it belongs to. */
export interface ComingEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly code: number;
  readonly message: string;
  readonly status: z.infer<typeof logStatusSchema>;
}

const row = z.object({
  seq: z.int(),
  entryId: z.string(),
  domainId: z.int(),
  id: z.string(),
  dueAt: z.int(),
  code: z.int(),
  message: z.string(),
  status: logStatusSchema,
});

/** The future events of all log entries. */
export function comingEventStore(database: Database) {
  const insert = database.prepare(
    "INSERT INTO coming_events (entry_id, due_at, id, code, message, status) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const nextDueAt = prepareNumber(database, `SELECT coalesce(min(due_at), ${NEVER}) FROM coming_events`);
  const due = prepareQuery(
    database,
    row,
    `SELECT coming_events.seq, entry_id AS entryId, domain_id AS domainId, coming_events.id, due_at AS dueAt, code, message, status
    FROM coming_events JOIN log_entries ON log_entries.id = entry_id
    WHERE due_at <= ? ORDER BY due_at, coming_events.seq LIMIT ?`,
  );
  const remove = database.prepare("DELETE FROM coming_events WHERE seq = ?");

  return {
    add(entryId: string, { dueAt, id, code, message, status }: ComingEvent): void {
      insert.run(entryId, dueAt, id, code, message, status);
    },
    /** When the next event is due; `Infinity` if there is none. */
    nextDueAt: () => nextDueAt(),
    /** Events that are due, oldest first. */
    due: (now: number, limit: number) => due.all(now, limit),
    delete(seq: number): void {
      remove.run(seq);
    },
  };
}
