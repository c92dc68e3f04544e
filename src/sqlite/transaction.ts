import type { Database } from "./driver.js";

/** Runs the changes as one: all are kept, or, when something throws, none. */
export function transaction<Result>(database: Database, change: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = change();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Reads everything as of one moment. Nothing is written: it works on a full disk and while somebody else writes. */
export function snapshot<Result>(database: Database, read: () => Result): Result {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    rollBack(database);
  }
}

/** False where nothing is left to be rolled back: when the disk is full or fails, SQLite does it by itself. */
export function rollBack(database: Database, to = ""): boolean {
  try {
    database.exec(`ROLLBACK ${to}`);
    return true;
  } catch {
    return false;
  }
}
