import type { SharedDatabase } from "../../sqlite/lock.js";
import { snapshot, transaction } from "../../sqlite/transaction.js";
import type { Clock } from "../clock.js";
import { type AccountRow, type AccountRows, type Atomically, paceStoreOf, type SlotRow } from "./pace-steps.js";
import type { PaceStore, PaceTicket, PlanNews, PlanUse } from "./pace.js";
import type { Database, Statement } from "../../sqlite/driver.js";
import type { Priority } from "../parcel.js";

/**
 * A pace store in the file that the processes of a machine share. Its steps are not flushed to disk separately: the
 * ledger flushes before each request, and includes them.
 *
 * @param database Has the tables of `PACE_SCHEMA`.
 */
export function createSqlitePace(database: SharedDatabase, clock: Clock): PaceStore {
  const statements = preparePace(database);
  const time = new MachineTime(database, clock);
  const pragma = `PRAGMA ${database.schema}.synchronous`;
  const synchronous = Number(database.prepare(pragma).get()?.["synchronous"]);
  const write: Atomically = (account, step) =>
    database.lock.write(() => {
      database.exec(`${pragma} = NORMAL`);
      try {
        return transaction(database, () => step(new SqliteRows(account, statements), time.now()));
      } finally {
        database.exec(`${pragma} = ${synchronous}`);
      }
    });
  const read: Atomically = (account, step) =>
    database.lock.read(() =>
      snapshot(database, () => {
        const now = time.peek();
        return step(new SqliteRowsAt(account, statements, now), now);
      }),
    );
  return paceStoreOf(write, read);
}

/**
 * A clock that all processes of a machine share through their file. It never goes back, and never runs faster than time
 * does, so that setting the system clock neither frees slots nor blocks them. Each process uses its own monotonic
 * clock, starting at its first reading. For the time before that, the smaller of the wall clock's and the monotonic
 * clock's difference counts. After a reboot, the monotonic clock says nothing about it.
 */
class MachineTime {
  readonly #clock: Clock;
  readonly #read: Statement;
  readonly #write: Statement;
  #known: { readonly time: number; readonly monotone: number } | undefined;

  constructor(database: Database, clock: Clock) {
    this.#clock = clock;
    this.#read = database.prepare("SELECT time, wall, monotone FROM pace_time WHERE id = 1");
    this.#write = database.prepare("INSERT OR REPLACE INTO pace_time (id, time, wall, monotone) VALUES (1, ?, ?, ?)");
  }

  /** Must be called within a transaction. */
  now(): number {
    const reading = this.#look();
    this.#write.run(reading.time, reading.wall, reading.monotone);
    this.#known = reading;
    return reading.time;
  }

  /** Like `now`, but without writing it down, so that it does not affect other processes. */
  peek(): number {
    return this.#look().time;
  }

  #look(): { readonly time: number; readonly wall: number; readonly monotone: number } {
    const [wall, monotone] = [this.#clock.time(), this.#clock.now()];
    const latest = this.#read.get() ?? { time: wall, wall, monotone };
    const elapsed = (since: unknown, now: number) => now - Number(since);
    const elapsedBefore = () => {
      const byMonotone = elapsed(latest["monotone"], monotone);
      const byWall = elapsed(latest["wall"], wall);
      return Number(latest["time"]) + Math.max(0, byMonotone < 0 ? byWall : Math.min(byWall, byMonotone));
    };
    const own =
      this.#known === undefined ? elapsedBefore() : this.#known.time + elapsed(this.#known.monotone, monotone);
    return { time: Math.max(Number(latest["time"]), own), wall, monotone };
  }
}

/** Maximum ms between two polls of a waiting owner. */
const SILENCE_MS = 1000;
/** After this long without polling, an owner counts as dead. If it comes back, it gets its place again. */
const GONE_AFTER_MS = 2.5 * SILENCE_MS;

class SqliteRows implements AccountRows {
  readonly silenceMs = SILENCE_MS;
  readonly #account: string;
  readonly #sql: PaceStatements;

  constructor(account: string, sql: PaceStatements) {
    this.#account = account;
    this.#sql = sql;
  }

  read(): AccountRow {
    const row = this.#sql.read.get(this.#account) ?? { held_until: 0, limit_shown: null, highs_in_a_row: 0 };
    const { held_until, limit_shown, highs_in_a_row } = row;
    return {
      heldUntil: Number(held_until),
      limitShown: limit_shown === null ? undefined : Number(limit_shown),
      highsInARow: Number(highs_in_a_row),
    };
  }

  write({ heldUntil, limitShown, highsInARow }: AccountRow): void {
    this.#sql.write.run(this.#account, heldUntil, limitShown ?? null, highsInARow);
  }

  clean(now: number): void {
    this.#sql.cleanSlots.run(this.#account, now);
    for (const { owner } of this.#sql.gone.all(now)) {
      this.#sql.forgetTickets.run(String(owner));
      this.#sql.forgetOwner.run(String(owner));
    }
  }

  taken(): number {
    return Number(this.#sql.taken.get(this.#account)?.["count"]);
  }

  soonest(open: boolean, count: number): readonly number[] {
    return this.#sql.soonest.all(this.#account, Number(open), count).map(({ free_at }) => Number(free_at));
  }

  putSlot({ id, owner, freeAt, open }: SlotRow): void {
    this.#sql.putSlot.run(id, this.#account, owner, freeAt, Number(open));
  }

  findSlot(id: string): SlotRow | undefined {
    const row = this.#sql.findSlot.get(id);
    return row && { id, owner: String(row["owner"]), freeAt: Number(row["free_at"]), open: row["open"] === 1 };
  }

  removeSlot(id: string): void {
    this.#sql.removeSlot.run(id);
  }

  waiting(priority: Priority): number {
    return Number(this.#sql.waiting.get(this.#account, priority)?.["count"]);
  }

  ahead({ id, priority, first, place }: PaceTicket): number {
    const currentPlace = this.#placeOf(id) ?? place ?? Number.MAX_SAFE_INTEGER;
    return Number(this.#sql.ahead.get(this.#account, priority, Number(first), Number(first), currentPlace)?.["count"]);
  }

  enter({ id, owner, priority, first, place }: PaceTicket, now: number): number {
    this.#sql.alive.run(owner, now + GONE_AFTER_MS);
    const entered = this.#placeOf(id);
    if (entered !== undefined) return entered;
    return Number(this.#sql.enter.get(place ?? null, id, this.#account, owner, priority, Number(first))?.["place"]);
  }

  leave(ticket: string): void {
    this.#sql.leave.run(ticket);
  }

  hasOthers(owner: string): boolean {
    return this.#sql.others.get(this.#account, owner, this.#account, owner)?.["others"] === 1;
  }

  plan({ period, sent = 0, sentInAll = 0, limit }: PlanNews): PlanUse {
    const known = this.#sql.plan.get(this.#account, period) ?? { sent: 0, plan_limit: 0 };
    const use = {
      sent: Math.max(Number(known["sent"]) + sent, sentInAll),
      limit: limit ?? Number(known["plan_limit"]),
    };
    this.#sql.forgetPlans.run(this.#account, period, period);
    this.#sql.writePlan.run(this.#account, period, use.sent, use.limit);
    return use;
  }

  #placeOf(id: string): number | undefined {
    const row = this.#sql.find.get(id);
    return row && Number(row["place"]);
  }
}

/** An account's rows at a time, for a step that writes nothing: it skips what `clean` would forget. */
class SqliteRowsAt extends SqliteRows {
  constructor(
    private readonly account: string,
    private readonly sql: PaceStatements,
    private readonly now: number,
  ) {
    super(account, sql);
  }

  override clean(): void {
    // Writes nothing.
  }

  override taken(): number {
    return Number(this.sql.takenAt.get(this.account, this.now)?.["count"]);
  }

  override soonest(open: boolean, count: number): readonly number[] {
    return this.sql.soonestAt.all(this.account, Number(open), this.now, count).map(({ free_at }) => Number(free_at));
  }

  override waiting(priority: Priority): number {
    return Number(this.sql.waitingAt.get(this.account, priority, this.now)?.["count"]);
  }
}

export const PACE_SCHEMA = `
  CREATE TABLE IF NOT EXISTS pace_time (
    id INTEGER PRIMARY KEY CHECK (id = 1), time REAL NOT NULL, wall REAL NOT NULL, monotone REAL NOT NULL
  ) STRICT;
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

type PaceStatements = ReturnType<typeof preparePace>;

function preparePace(database: Database) {
  return {
    read: database.prepare("SELECT held_until, limit_shown, highs_in_a_row FROM pace_accounts WHERE account = ?"),
    write: database.prepare("INSERT OR REPLACE INTO pace_accounts VALUES (?, ?, ?, ?)"),

    cleanSlots: database.prepare("DELETE FROM pace_slots WHERE account = ? AND open IN (0, 1) AND free_at <= ?"),
    gone: database.prepare("SELECT owner FROM pace_owners WHERE alive_until <= ?"),
    forgetOwner: database.prepare("DELETE FROM pace_owners WHERE owner = ?"),
    forgetTickets: database.prepare("DELETE FROM pace_tickets WHERE owner = ?"),

    taken: database.prepare("SELECT COUNT(*) AS count FROM pace_slots WHERE account = ?"),
    soonest: database.prepare("SELECT free_at FROM pace_slots WHERE account = ? AND open = ? ORDER BY free_at LIMIT ?"),
    putSlot: database.prepare("INSERT OR REPLACE INTO pace_slots VALUES (?, ?, ?, ?, ?)"),
    findSlot: database.prepare("SELECT owner, free_at, open FROM pace_slots WHERE id = ?"),
    removeSlot: database.prepare("DELETE FROM pace_slots WHERE id = ?"),

    takenAt: database.prepare("SELECT COUNT(*) AS count FROM pace_slots WHERE account = ? AND free_at > ?"),
    soonestAt: database.prepare(
      "SELECT free_at FROM pace_slots WHERE account = ? AND open = ? AND free_at > ? ORDER BY free_at LIMIT ?",
    ),
    waitingAt: database.prepare(`SELECT COUNT(*) AS count FROM pace_tickets
      WHERE account = ? AND priority = ? AND owner IN (SELECT owner FROM pace_owners WHERE alive_until > ?)`),

    waiting: database.prepare("SELECT COUNT(*) AS count FROM pace_tickets WHERE account = ? AND priority = ?"),
    ahead: database.prepare(`SELECT COUNT(*) AS count FROM pace_tickets
      WHERE account = ? AND priority = ? AND (first > ? OR (first = ? AND place < ?))`),
    find: database.prepare("SELECT place FROM pace_tickets WHERE id = ?"),
    enter: database.prepare("INSERT INTO pace_tickets VALUES (?, ?, ?, ?, ?, ?) RETURNING place"),
    leave: database.prepare("DELETE FROM pace_tickets WHERE id = ?"),
    alive: database.prepare("INSERT OR REPLACE INTO pace_owners VALUES (?, ?)"),
    others: database.prepare(`SELECT EXISTS (SELECT 1 FROM pace_tickets WHERE account = ? AND owner <> ?)
      OR EXISTS (SELECT 1 FROM pace_slots WHERE account = ? AND open = 1 AND owner <> ?) AS others`),

    plan: database.prepare("SELECT sent, plan_limit FROM pace_plan WHERE account = ? AND period = ?"),
    writePlan: database.prepare("INSERT OR REPLACE INTO pace_plan VALUES (?, ?, ?, ?)"),
    forgetPlans: database.prepare(
      "DELETE FROM pace_plan WHERE account = ? AND period < ? AND length(period) = length(?)",
    ),
  };
}
