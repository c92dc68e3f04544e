import { setTimeout as sleep } from "node:timers/promises";
import type { FileDatabase } from "../../sqlite/driver.js";
import type { GroupCommit } from "../../sqlite/group-commit.js";
import type { CleanOptions } from "./store.js";

/** Few enough that other writers don't wait long: a message may have 13 MB of attachments. */
const AT_ONCE = 20;
/** Milliseconds to wait for other users of the file; otherwise the next cleanup empties the log. */
const LOG_TIMEOUT_MS = 100;
const LOG_AGAIN_AFTER_MS = 10;

/**
 * Deletes expired data. SQLite overwrites it in the file (`secure_delete`); in the write-ahead log it stays until that
 * is emptied, which is also done here.
 */
export async function cleanOutbox(database: FileDatabase, group: GroupCommit, options: CleanOptions): Promise<void> {
  const { target, contentsBefore, undecidedBefore, messagesBefore } = options;
  const deleteAll = async (which: string, before: number, whole = false) => {
    while ((await group.write(() => deleteSome(which, before, whole))) === AT_ONCE);
  };
  const deleteSome = (which: string, before: number, whole: boolean) => {
    const numbers = database
      .prepare(`SELECT number FROM outbox_messages WHERE target = ? AND ${which} AND changed_at < ? LIMIT ${AT_ONCE}`)
      .all(target, before)
      .map((row) => Number(row["number"]));
    const numberList = "(SELECT value FROM json_each(?))";
    const deleteFrom = (sql: string) => database.prepare(`${sql} IN ${numberList}`).run(JSON.stringify(numbers));
    deleteFrom("DELETE FROM outbox_contents WHERE message");
    deleteFrom("DELETE FROM outbox_files WHERE message");
    if (whole) deleteFrom("DELETE FROM outbox_messages WHERE number");
    else deleteFrom("UPDATE outbox_messages SET key_text = NULL, has_contents = 0 WHERE number");
    return numbers.length;
  };

  const settled = "'accepted', 'expired', 'discarded'";
  const undecided = "'parked', 'rejected'";
  await deleteAll(`state IN (${settled}) AND has_contents = 1`, contentsBefore);
  await deleteAll(`state IN (${undecided}) AND has_contents = 1`, undecidedBefore);
  await deleteAll(`state IN (${settled}, ${undecided}) AND has_contents IN (0, 1)`, messagesBefore, true);
  await emptyLog(database);
}

async function emptyLog(database: FileDatabase): Promise<void> {
  const until = performance.now() + LOG_TIMEOUT_MS;
  const isHeld = () => database.prepare(`PRAGMA ${database.schema}.wal_checkpoint(TRUNCATE)`).get()?.["busy"] === 1;
  while (isHeld() && performance.now() < until) await sleep(LOG_AGAIN_AFTER_MS);
}
