import type { SharedDatabase } from "../../sqlite/lock.js";
import { snapshot, transaction } from "../../sqlite/transaction.js";
import type { Clock } from "../clock.js";
import { MachineTime } from "./machine-time.js";
import { SqliteRows, SqliteRowsAt } from "./sqlite-rows.js";
import { preparePace } from "./sqlite-statements.js";
import { type Atomically, paceStoreOf } from "./steps.js";
import type { PaceStore } from "./store.js";

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
