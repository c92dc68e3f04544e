import { z } from "zod";
import { logStatusSchema } from "../../api/contract/v4/logs.js";
import type { Database } from "../../sqlite/driver.js";

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

export type ComingEventRecord = Readonly<z.infer<typeof row>>;

/** The future events of all log entries. */
export class ComingEventStore {
  readonly #insert;
  readonly #next;
  readonly #due;
  readonly #delete;

  constructor(database: Database) {
    this.#insert = database.prepare(
      "INSERT INTO coming_events (entry_id, due_at, id, code, message, status) VALUES (?, ?, ?, ?, ?, ?)",
    );
    this.#next = database.prepare("SELECT min(due_at) AS dueAt FROM coming_events");
    this.#due = database.prepare(`
      SELECT coming_events.seq, entry_id AS entryId, domain_id AS domainId, coming_events.id, due_at AS dueAt, code, message, status
      FROM coming_events JOIN log_entries ON log_entries.id = entry_id
      WHERE due_at <= ? ORDER BY due_at, coming_events.seq LIMIT ?`);
    this.#delete = database.prepare("DELETE FROM coming_events WHERE seq = ?");
  }

  add(entryId: string, { dueAt, id, code, message, status }: ComingEvent): void {
    this.#insert.run(entryId, dueAt, id, code, message, status);
  }

  /** When the next event is due; `Infinity` if there is none. */
  nextDueAt(): number {
    const dueAt = this.#next.get()?.["dueAt"];
    return typeof dueAt === "number" ? dueAt : Infinity;
  }

  /** Events that are due, oldest first. */
  due(now: number, limit: number): ComingEventRecord[] {
    return this.#due.all(now, limit).map((columns) => row.parse(columns));
  }

  delete(seq: number): void {
    this.#delete.run(seq);
  }
}
