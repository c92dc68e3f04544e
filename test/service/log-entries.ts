import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { LogStatus } from "../../src/api/contract/v4/logs.js";
import type { ServiceClock } from "../../src/service/clock.js";
import { newLogId } from "../../src/service/ids.js";
import { openDatabase } from "../../src/service/store/database.js";
import type { NewLogEntry } from "../../src/service/store/log-rows.js";
import { logStore } from "../../src/service/store/logs.js";

/** An entry as a test writes it; plain addresses stand for mailboxes without a name. */
export interface EntryLike extends Partial<Pick<NewLogEntry, "subject" | "transport" | "createdAt">> {
  readonly sender?: string;
  readonly recipient?: string;
  readonly forward?: string | null;
  readonly statuses?: readonly LogStatus[];
}

/** The log of a data folder, written to directly while the service runs on it. */
export interface TestLog {
  /** Adds entries to the folder's first domain and returns their ids. */
  add(...entries: readonly EntryLike[]): string[];
  addEvent(entryId: string, status: LogStatus): void;
  /** Number of rows in a table. */
  rows(table: "log_entries" | "log_events" | "mails"): number;
}

export async function openLog(data: string, clock: ServiceClock): Promise<TestLog> {
  const database = await openDatabase(join(data, "service.db"));
  onTestFinished(() => database.close());
  const logs = logStore(database, clock);
  const domain = Number(database.prepare("SELECT min(id) AS id FROM domains").get()?.["id"]);
  return {
    add(...entries) {
      database.exec("BEGIN IMMEDIATE");
      const ids = entries.map((like) => {
        const entry = entryOf(like, clock.now());
        logs.append(domain, null, entry);
        return entry.id;
      });
      database.exec("COMMIT");
      return ids;
    },
    addEvent: (entryId, status) => logs.appendEvent(entryId, eventOf(status, clock.now())),
    rows: (table) => Number(database.prepare(`SELECT count(*) AS total FROM ${table}`).get()?.["total"]),
  };
}

function entryOf(like: EntryLike, now: number): NewLogEntry {
  const { createdAt = now, subject = "Hello", transport = "api", forward = null, statuses = ["QUEUED"] } = like;
  return {
    id: newLogId(createdAt),
    createdAt,
    hostname: "localhost",
    messageId: `<${randomUUID()}@example.test>`,
    subject,
    transport,
    sender: { email: like.sender ?? "hello@example.test", name: null },
    recipient: { email: like.recipient ?? "ada@example.com", name: null },
    forward: forward === null ? null : { email: forward, name: null },
    events: statuses.map((status) => eventOf(status, createdAt)),
  };
}

function eventOf(status: LogStatus, createdAt: number): NewLogEntry["events"][number] {
  return { id: randomUUID(), createdAt, code: 250, local: "localhost", message: "2.0.0", server: "localhost", status };
}
