import { DatabaseNewerError } from "../errors.js";
import { type Database, loadDriver } from "../../sqlite/driver.js";
import { transaction } from "../../sqlite/transaction.js";
import { migrations } from "./migrations.js";

/** Size at which the write-ahead log is moved into the file, in pages: 16 MB, since pages that change often move once. */
const CHECKPOINT_PAGES = 4_000;
/** Maximum time in ms to wait for someone who reads the file with another tool. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database and migrates it to the current version. It uses a write-ahead log. A write survives the end of the
 * process at once, and a power failure once the log was flushed; `flush.ts` does that for several writes together,
 * because it is the slowest step. What a change within a transaction would undo is kept in memory; by default, that is a
 * temporary file for each large email.
 *
 * @throws DatabaseNewerError if a newer version has written it.
 */
export async function openDatabase(file: string): Promise<Database> {
  const open = await loadDriver("the local service");
  const database = open(file);
  try {
    database.exec(`
      PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA foreign_keys = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    `);
    transaction(database, () => migrate(database, file));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The write-ahead log of a database file. */
export function writeAheadLog(file: string): string {
  return `${file}-wal`;
}

/** Moves the write-ahead log into the file and closes it. */
export function closeDatabase(database: Database): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Returns a function that counts the rows written since the database was opened. */
export function changesOf(database: Database): () => number {
  const total = database.prepare("SELECT total_changes() AS total");
  return () => Number(total.get()?.["total"]);
}

function migrate(database: Database, file: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version > migrations.length) throw new DatabaseNewerError(file);
  for (const migration of migrations.slice(version)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}
