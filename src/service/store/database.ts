import { DatabaseNewerError } from "../errors.js";
import { type Database, loadDriver } from "../../sqlite/driver.js";
import { transaction } from "../../sqlite/transaction.js";
import { migrations } from "./migrations/index.js";

/** How long to wait for someone who looks at the file with a tool of their own. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database and brings it up to date. It keeps a write-ahead log, in which a write survives the end of the
 * process at once, and the machine's once the log was flushed: `flush.ts`, so that writes share what takes the longest.
 *
 * @throws DatabaseNewerError where a newer version has written it.
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

/** Moves what is in the write-ahead log into the file, and closes it. */
export function closeDatabase(database: Database): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Counts the rows that were written since the database was opened. */
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
