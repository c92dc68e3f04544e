import type { SharedDatabase } from "../../sqlite/lock.js";
import { snapshot, transaction } from "../../sqlite/transaction.js";
import {
  type AccountRow,
  type AccountRows,
  type Atomically,
  GONE_AFTER_MS,
  paceStoreOf,
  SILENCE_MS,
  type SlotRow,
} from "./pace-steps.js";
import type { PaceStore, PaceTicket, PlanUpdate, PlanUse } from "./pace.js";
import type { SqlValue } from "../../sqlite/driver.js";
import type { Clock } from "../clock.js";
import { Queries } from "./sqlite-file.js";
import { MachineTime } from "./sqlite-time.js";
import type { Priority } from "../parcel.js";

export const PACE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS pace_accounts (
    account TEXT PRIMARY KEY, held_until REAL NOT NULL, limit_shown INTEGER, highs_in_a_row INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS pace_slots (
    id TEXT PRIMARY KEY, account TEXT NOT NULL, owner TEXT NOT NULL, free_at REAL NOT NULL, open INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pace_slots_by_time ON pace_slots (account, open, free_at);
  CREATE TABLE IF NOT EXISTS pace_tickets (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, account TEXT NOT NULL, owner TEXT NOT NULL,
    priority TEXT NOT NULL, first INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pace_tickets_by_place ON pace_tickets (account, priority, first, place);
  CREATE TABLE IF NOT EXISTS pace_owners (owner TEXT PRIMARY KEY, alive_until REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS pace_plan (
    account TEXT NOT NULL, period TEXT NOT NULL, sent INTEGER NOT NULL, plan_limit INTEGER NOT NULL,
    PRIMARY KEY (account, period)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * A pace store in the file that the processes of a machine share. Its steps are not flushed to disk separately: the
 * ledger flushes before each request, and includes them.
 *
 * @param database Has the tables of `PACE_SCHEMA`.
 */
export function createSqlitePace(database: SharedDatabase, clock: Clock): PaceStore {
  const sql = new Queries(database);
  const time = new MachineTime(sql, clock);
  const pragma = `PRAGMA ${database.schema}.synchronous`;
  const synchronous = Number(database.prepare(pragma).get()?.["synchronous"]);
  const write = <Result>(account: string, step: (rows: SqliteRows, now: number) => Result): Promise<Result> =>
    database.lock.write(() => {
      database.exec(`${pragma} = NORMAL`);
      try {
        return transaction(database, () => {
          const now = time.now();
          return step(new SqliteRows(sql, account, now, false), now);
        });
      } finally {
        database.exec(`${pragma} = ${synchronous}`);
      }
    });
  const read: Atomically = (account, step) =>
    database.lock.read(() =>
      snapshot(database, () => {
        const now = time.peek();
        return step(new SqliteRows(sql, account, now, true), now);
      }),
    );
  const plan: PaceStore["plan"] = ({ account }, news) => write(account, (rows) => news.map((each) => rows.plan(each)));
  return { ...paceStoreOf(write, read), plan };
}

class SqliteRows implements AccountRows {
  readonly silenceMs = SILENCE_MS;

  /** @param isRead Whether the step writes nothing: then it skips what `clean` would forget. */
  constructor(
    private readonly sql: Queries,
    private readonly account: string,
    private readonly now: number,
    private readonly isRead: boolean,
  ) {}

  read(): AccountRow {
    const row = this.sql.get("SELECT * FROM pace_accounts WHERE account = ?", this.account);
    const shown = row?.["limit_shown"] ?? undefined;
    return {
      heldUntil: Number(row?.["held_until"] ?? 0),
      limitShown: shown === undefined ? undefined : Number(shown),
      highsInARow: Number(row?.["highs_in_a_row"] ?? 0),
    };
  }

  write({ heldUntil, limitShown, highsInARow }: AccountRow): void {
    const sql = "INSERT OR REPLACE INTO pace_accounts VALUES (?, ?, ?, ?)";
    this.sql.run(sql, this.account, heldUntil, limitShown ?? null, highsInARow);
  }

  clean(): void {
    if (this.isRead) return;
    this.sql.run(
      "DELETE FROM pace_slots WHERE account = ? AND open IN (0, 1) AND free_at <= ?",
      this.account,
      this.now,
    );
    for (const { owner } of this.sql.all("SELECT owner FROM pace_owners WHERE alive_until <= ?", this.now)) {
      this.sql.run("DELETE FROM pace_tickets WHERE owner = ?", String(owner));
      this.sql.run("DELETE FROM pace_owners WHERE owner = ?", String(owner));
    }
  }

  taken(): number {
    return this.#count("pace_slots WHERE account = ? AND free_at > ?", this.account, this.now);
  }

  soonest(open: boolean, count: number): readonly number[] {
    const sql =
      "SELECT free_at FROM pace_slots WHERE account = ? AND open = ? AND free_at > ? ORDER BY free_at LIMIT ?";
    return this.sql.all(sql, this.account, Number(open), this.now, count).map(({ free_at }) => Number(free_at));
  }

  putSlot({ id, owner, freeAt, open }: SlotRow): void {
    const sql = "INSERT OR REPLACE INTO pace_slots VALUES (?, ?, ?, ?, ?)";
    this.sql.run(sql, id, this.account, owner, freeAt, Number(open));
  }

  findSlot(id: string): SlotRow | undefined {
    const row = this.sql.get("SELECT owner, free_at, open FROM pace_slots WHERE id = ?", id);
    return row && { id, owner: String(row["owner"]), freeAt: Number(row["free_at"]), open: row["open"] === 1 };
  }

  removeSlot(id: string): void {
    this.sql.run("DELETE FROM pace_slots WHERE id = ?", id);
  }

  waiting(priority: Priority): number {
    const waiting = "pace_tickets WHERE account = ? AND priority = ?";
    if (!this.isRead) return this.#count(waiting, this.account, priority);
    const alive = "AND owner IN (SELECT owner FROM pace_owners WHERE alive_until > ?)";
    return this.#count(`${waiting} ${alive}`, this.account, priority, this.now);
  }

  ahead({ id, priority, first, place }: PaceTicket): number {
    const ahead = "pace_tickets WHERE account = ?1 AND priority = ?2 AND (first > ?3 OR (first = ?3 AND place < ?4))";
    const ownPlace = this.#placeOf(id) ?? place ?? Number.MAX_SAFE_INTEGER;
    return this.#count(ahead, this.account, priority, Number(first), ownPlace);
  }

  enter({ id, owner, priority, first, place }: PaceTicket): number {
    this.sql.run("INSERT OR REPLACE INTO pace_owners VALUES (?, ?)", owner, this.now + GONE_AFTER_MS);
    const entered = this.#placeOf(id);
    if (entered !== undefined) return entered;
    const sql = "INSERT INTO pace_tickets VALUES (?, ?, ?, ?, ?, ?) RETURNING place";
    return Number(this.sql.get(sql, place ?? null, id, this.account, owner, priority, Number(first))?.["place"]);
  }

  leave(ticket: string): void {
    this.sql.run("DELETE FROM pace_tickets WHERE id = ?", ticket);
  }

  hasOthers(owner: string): boolean {
    const sql = `SELECT EXISTS (SELECT 1 FROM pace_tickets WHERE account = ?1 AND owner <> ?2)
      OR EXISTS (SELECT 1 FROM pace_slots WHERE account = ?1 AND open = 1 AND owner <> ?2) AS others`;
    return this.sql.get(sql, this.account, owner)?.["others"] === 1;
  }

  plan({ period, sent = 0, sentInAll = 0, limit }: PlanUpdate): PlanUse {
    const known = this.sql.get("SELECT * FROM pace_plan WHERE account = ? AND period = ?", this.account, period);
    const use = {
      sent: Math.max(Number(known?.["sent"] ?? 0) + sent, sentInAll),
      limit: limit ?? Number(known?.["plan_limit"] ?? 0),
    };
    const isEarlier = "period < ?2 AND length(period) = length(?2)";
    this.sql.run(`DELETE FROM pace_plan WHERE account = ?1 AND ${isEarlier}`, this.account, period);
    this.sql.run("INSERT OR REPLACE INTO pace_plan VALUES (?, ?, ?, ?)", this.account, period, use.sent, use.limit);
    return use;
  }

  #count(rows: string, ...values: SqlValue[]): number {
    return Number(this.sql.get(`SELECT COUNT(*) AS count FROM ${rows}`, ...values)?.["count"]);
  }

  #placeOf(id: string): number | undefined {
    const row = this.sql.get("SELECT place FROM pace_tickets WHERE id = ?", id);
    return row && Number(row["place"]);
  }
}
