import { DatabaseNewerError } from "../errors.js";
import { type Database, loadDriver } from "./driver.js";
import { migrations } from "./migrations/index.js";

/** How long to wait for someone who looks at the file with a tool of their own. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens the database and brings it up to date. What a write returned from is on the disk (WAL with synchronous FULL).
 *
 * @throws DatabaseNewerError where a newer version has written it.
 */
export async function openDatabase(file: string): Promise<Database> {
  const open = await loadDriver();
  const database = open(file);
  try {
    database.exec(`
      PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
    `);
    transaction(database, () => migrate(database, file));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Moves what is in the write-ahead log into the file, and closes it. */
export function closeDatabase(database: Database): void {
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Runs the changes as one: all are kept, or, when something throws, none. */
export function transaction<Result>(database: Database, change: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = change();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function migrate(database: Database, file: string): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version > migrations.length) throw new DatabaseNewerError(file);
  for (const migration of migrations.slice(version)) database.exec(migration);
  database.exec(`PRAGMA user_version = ${migrations.length}`);
}
