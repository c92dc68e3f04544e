import type { SharedDatabase } from "../../sqlite/lock.js";
import { snapshot, transaction } from "../../sqlite/transaction.js";
import type { Clock } from "../clock.js";
import { SqliteRows, SqliteRowsAt } from "./sqlite-rows.js";
import { preparePace } from "./sqlite-statements.js";
import { type Atomically, paceStoreOf } from "./steps.js";
import type { PaceStore } from "./store.js";
import type { Database, Statement } from "../../sqlite/driver.js";

export { PACE_SCHEMA } from "./sqlite-statements.js";

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
