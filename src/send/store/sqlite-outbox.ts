import type { SqlValue } from "../../sqlite/driver.js";
import { GroupCommit } from "../../sqlite/transaction.js";
import type { SharedDatabase } from "../../sqlite/lock.js";
import type { Priority } from "../parcel.js";
import type { Clock } from "../clock.js";
import { Queries, type SqlRow } from "./sqlite-file.js";
import { MachineTime } from "./sqlite-time.js";
import {
  cleanOutbox,
  columnsOf,
  timeToDue,
  listQuery,
  messageOf,
  readCounts,
  readFiles,
  storedMessageOf,
  splitAttachments,
  writeFiles,
} from "./sqlite-outbox-rows.js";
import type {
  AddedMessage,
  CleanOptions,
  ExpectedMessage,
  NewMessage,
  OutboxChange,
  OutboxCounts,
  OutboxFilter,
  OutboxMessage,
  OutboxState,
  OutboxStore,
  StoredMessage,
  TakenMessage,
  TakeOptions,
} from "./outbox.js";

/** Contents have a separate table, so that looking for messages does not read them. */
export const OUTBOX_SCHEMA = `
  CREATE TABLE IF NOT EXISTS outbox_messages (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued',
    key_hash TEXT,
    key_contents TEXT,
    key_text TEXT,
    template TEXT,
    priority TEXT NOT NULL,
    on_unknown TEXT NOT NULL,
    queued_at REAL NOT NULL,
    send_at REAL NOT NULL,
    expires_at REAL,
    attempts INTEGER NOT NULL DEFAULT 0,
    changed_at REAL NOT NULL,
    lease TEXT,
    alive_until REAL,
    sent_id TEXT,
    sent_message_id TEXT,
    reason TEXT,
    has_contents INTEGER NOT NULL DEFAULT 1,
    direct INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS outbox_contents (
    message INTEGER PRIMARY KEY,
    recipients TEXT NOT NULL,
    email TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS outbox_files (
    message INTEGER NOT NULL,
    position INTEGER NOT NULL,
    start INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (message, position, start)
  ) STRICT;
  CREATE UNIQUE INDEX IF NOT EXISTS outbox_by_key ON outbox_messages (target, key_hash) WHERE key_hash IS NOT NULL;
  CREATE INDEX IF NOT EXISTS outbox_by_state ON outbox_messages (target, state, has_contents, changed_at);
  CREATE INDEX IF NOT EXISTS outbox_due ON outbox_messages (target, priority, send_at) WHERE state = 'queued';
  CREATE INDEX IF NOT EXISTS outbox_expiring ON outbox_messages (target, expires_at)
    WHERE state = 'queued' AND expires_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS outbox_held ON outbox_messages (target, alive_until) WHERE state = 'sending';
  CREATE INDEX IF NOT EXISTS outbox_by_sent_id ON outbox_messages (sent_id) WHERE sent_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS outbox_by_message_id ON outbox_messages (sent_message_id)
    WHERE sent_message_id IS NOT NULL;
`;

/** Upgrades a store of version 1. */
export const OUTBOX_UPGRADE = "ALTER TABLE outbox_messages ADD COLUMN direct INTEGER NOT NULL DEFAULT 0";

const EXPIRED_AT_ONCE = 200;

/** An outbox in an SQLite file. Concurrent writes share one commit, which takes most of their time. */
export class SqliteOutbox implements OutboxStore {
  readonly #sql;
  readonly #group;
  readonly #time;

  /** @param database With `OUTBOX_SCHEMA`; it must flush with every commit, and overwrite deleted data. */
  constructor(
    private readonly database: SharedDatabase,
    private readonly clock: Clock,
  ) {
    this.#sql = new Queries(database);
    this.#time = new MachineTime(this.#sql, clock);
    this.#group = new GroupCommit(database, { lock: database.lock });
  }

  add(message: NewMessage): Promise<AddedMessage> {
    return this.#group.write(() => {
      const earlier = this.#withKeyOf(message);
      if (earlier) return this.#joined(earlier, message);
      const { recipients, email } = message;
      const now = { wall: this.clock.time(), time: this.#time.now() };
      const columns = columnsOf(message, now);
      const names = Object.keys(columns);
      const row = this.#sql.get(
        `INSERT INTO outbox_messages (${names.join()}) VALUES (${names.map(() => "?").join()}) RETURNING *`,
        ...Object.values(columns),
      );
      if (!row) throw new Error("SQLite returned no row for an added message.");
      const number = Number(row["number"]);
      const { json, files } = splitAttachments(email);
      this.#sql.run("INSERT INTO outbox_contents VALUES (?, ?, ?)", number, listedRecipients(recipients), json);
      writeFiles(this.#sql, number, files);
      return { message: messageOf(row), added: true, sameContents: true, dueInMs: timeToDue(row, now.wall) };
    });
  }

  #withKeyOf({ target, key }: NewMessage): SqlRow | undefined {
    const sql = "SELECT * FROM outbox_messages WHERE target = ? AND key_hash = ?";
    return key && this.#sql.get(sql, target, key.hash);
  }

  #joined(earlier: SqlRow, { key, lease }: NewMessage): AddedMessage {
    const sameContents = earlier["key_contents"] === key?.contents;
    const isQueuedNow = sameContents && lease === undefined && earlier["direct"] === 1;
    if (isQueuedNow) this.#sql.run("UPDATE outbox_messages SET direct = 0 WHERE number = ?", Number(earlier["number"]));
    return {
      message: messageOf(isQueuedNow ? { ...earlier, direct: 0 } : earlier),
      added: false,
      sameContents,
      dueInMs: timeToDue(earlier, this.clock.time()),
    };
  }

  take({ target, priority, lease }: TakeOptions & { readonly priority: Priority }) {
    const wall = this.clock.time();
    return this.#take(
      `UPDATE outbox_messages
        SET state = 'sending', attempts = attempts + 1, changed_at = ?3, lease = ?4, alive_until = ?5
        WHERE number = (
          SELECT number FROM outbox_messages
          WHERE state = 'queued' AND target = ?1 AND priority = ?2 AND send_at <= ?3
            AND (expires_at IS NULL OR expires_at > ?3)
          ORDER BY send_at, number LIMIT 1)
        RETURNING *`,
      (now) => [target, priority, wall, lease.id, now + lease.forMs],
    );
  }

  async takeAbandoned({ target, lease }: TakeOptions): Promise<TakenMessage | undefined> {
    const abandoned = `FROM outbox_messages WHERE state = 'sending' AND target = ?1 AND alive_until <= ?2`;
    // Usually there is none, and this check neither writes nor waits for a lock.
    if (!(await this.#look(`SELECT 1 ${abandoned} LIMIT 1`, target, this.#time.peek()))) return undefined;
    return this.#take(
      `UPDATE outbox_messages SET lease = ?3, alive_until = ?4
        WHERE number = (SELECT number ${abandoned} ORDER BY alive_until, number LIMIT 1)
        RETURNING *`,
      (now) => [target, now, lease.id, now + lease.forMs],
    );
  }

  takeOver(id: string, { target, lease, states }: TakeOptions & { readonly states: readonly OutboxState[] }) {
    return this.#group.write(() => {
      const now = this.#time.now();
      const row = this.#sql.get(
        `SELECT * FROM outbox_messages WHERE id = ? AND target = ? AND has_contents = 1
          AND (state IN (SELECT value FROM json_each(?)) OR (state = 'sending' AND alive_until <= ?))`,
        id,
        target,
        JSON.stringify(states),
        now,
      );
      if (!row) return undefined;
      this.#sql.run(
        `UPDATE outbox_messages
          SET state = 'sending', attempts = attempts + 1, changed_at = ?, lease = ?, alive_until = ? WHERE id = ?`,
        this.clock.time(),
        lease.id,
        now + lease.forMs,
        id,
      );
      return this.#taken(row);
    });
  }

  /** @param valuesAt By the machine's time. */
  #take(sql: string, valuesAt: (now: number) => readonly SqlValue[]): Promise<TakenMessage | undefined> {
    return this.#group.write(() => {
      const row = this.#sql.get(sql, ...valuesAt(this.#time.now()));
      return row && this.#taken(row);
    });
  }

  #taken(row: SqlRow): TakenMessage {
    const { email, ...message } = this.#stored(row);
    if (!email) throw new Error("A waiting message has no contents.");
    const { expiresAt } = message;
    return { ...message, email, ...(expiresAt !== undefined && { expiresInMs: expiresAt - this.clock.time() }) };
  }

  keepAlive(leases: readonly string[], forMs: number): Promise<readonly string[]> {
    return this.#group.write(() =>
      this.#sql
        .all(
          `UPDATE outbox_messages SET alive_until = ?
          WHERE state = 'sending' AND lease IN (SELECT value FROM json_each(?)) RETURNING lease`,
          this.#time.now() + forMs,
          JSON.stringify(leases),
        )
        .map((row) => String(row["lease"])),
    );
  }

  change(
    id: string,
    expected: ExpectedMessage,
    { state, sent, reason, dueInMs, ignoreExpiry, uncounted, dropContents }: OutboxChange,
  ): Promise<boolean> {
    return this.#group.write(() => {
      const now = this.clock.time();
      const row = this.#sql.get(
        `UPDATE outbox_messages SET
            state = ?, changed_at = ?, reason = ?, lease = NULL, alive_until = NULL, direct = 0,
            sent_id = coalesce(?, sent_id), sent_message_id = coalesce(?, sent_message_id),
            send_at = coalesce(?, send_at), expires_at = iif(expires_at <= ?, NULL, expires_at), attempts = attempts - ?,
            key_text = iif(?, NULL, key_text), has_contents = has_contents AND NOT ?
          WHERE ${EXPECTED} RETURNING number`,
        state,
        now,
        reason ?? null,
        sent?.id ?? null,
        sent?.messageId ?? null,
        dueInMs === undefined ? null : now + dueInMs,
        ignoreExpiry ? now : null,
        Number(uncounted ?? false),
        Number(dropContents ?? false),
        Number(dropContents ?? false),
        ...valuesOf(id, expected),
      );
      if (row && dropContents) this.#dropContents(row);
      return row !== undefined;
    });
  }

  remove(id: string, expected: ExpectedMessage): Promise<boolean> {
    return this.#group.write(() => {
      const row = this.#sql.get(
        `DELETE FROM outbox_messages WHERE ${EXPECTED} RETURNING number`,
        ...valuesOf(id, expected),
      );
      if (row) this.#dropContents(row);
      return row !== undefined;
    });
  }

  #dropContents(row: SqlRow): void {
    this.#sql.run("DELETE FROM outbox_contents WHERE message = ?", Number(row["number"]));
    this.#sql.run("DELETE FROM outbox_files WHERE message = ?", Number(row["number"]));
  }

  async expire(target: string): Promise<readonly OutboxMessage[]> {
    const now = this.clock.time();
    const over = `FROM outbox_messages WHERE state = 'queued' AND target = ?1 AND expires_at <= ?2`;
    if (!(await this.#look(`SELECT 1 ${over} LIMIT 1`, target, now))) return [];
    return this.#group.write(() =>
      this.#sql
        .all(
          `UPDATE outbox_messages SET state = 'expired', changed_at = ?2, reason = NULL
          WHERE number IN (SELECT number ${over} ORDER BY expires_at LIMIT ${EXPIRED_AT_ONCE})
          RETURNING *`,
          target,
          now,
        )
        .map(messageOf),
    );
  }

  get(target: string, id: string): Promise<StoredMessage | undefined> {
    return this.#find("id = ?", target, id);
  }

  byKey(target: string, hash: string): Promise<StoredMessage | undefined> {
    return this.#find("key_hash = ?", target, hash);
  }

  #find(condition: string, target: string, value: string): Promise<StoredMessage | undefined> {
    return this.database.lock.read(() => {
      const row = this.#sql.get(`SELECT * FROM outbox_messages WHERE target = ? AND ${condition}`, target, value);
      return row && this.#stored(row);
    });
  }

  #stored(row: SqlRow): StoredMessage {
    const number = Number(row["number"]);
    return storedMessageOf(
      row,
      this.#sql.get("SELECT email FROM outbox_contents WHERE message = ?", number),
      readFiles(this.#sql, number),
    );
  }

  async list(target: string, filter: OutboxFilter): Promise<readonly OutboxMessage[]> {
    const { sql, values } = listQuery(target, filter);
    return this.database.lock.read(() => this.#sql.all(sql, ...values).map(messageOf));
  }

  async nextDue(target: string, priority: Priority): Promise<number | undefined> {
    const row = await this.#look(
      `SELECT min(send_at) AS due FROM outbox_messages WHERE state = 'queued' AND target = ? AND priority = ?`,
      target,
      priority,
    );
    return typeof row?.["due"] === "number" ? Math.max(0, row["due"] - this.clock.time()) : undefined;
  }

  targets(): Promise<readonly string[]> {
    const sql = "SELECT DISTINCT target FROM outbox_messages ORDER BY target";
    return this.database.lock.read(() => this.#sql.all(sql).map((row) => String(row["target"])));
  }

  counts(target: string): Promise<OutboxCounts> {
    return this.database.lock.read(() => readCounts(this.#sql, target, this.clock.time()));
  }

  async clean(options: CleanOptions): Promise<void> {
    await cleanOutbox(this.database, this.#sql, this.#group, options, this.clock.time());
  }

  #look(sql: string, ...values: SqlValue[]): Promise<SqlRow | undefined> {
    return this.database.lock.read(() => this.#sql.get(sql, ...values));
  }
}

const EXPECTED = `id = ? AND state IN (SELECT value FROM json_each(?)) AND lease IS coalesce(?, lease)
  AND direct = coalesce(?, direct)`;

/** In the order of `EXPECTED`. */
function valuesOf(id: string, { states, lease, direct }: ExpectedMessage): SqlValue[] {
  return [id, JSON.stringify(states), lease ?? null, direct === undefined ? null : Number(direct)];
}

/** One address per line, so that a search matches whole addresses only. */
function listedRecipients(recipients: readonly string[]): string {
  return `\n${recipients.join("\n")}\n`;
}
