import type { Database } from "./driver.js";

/** Runs the changes as one: all are kept or, if one throws, none. */
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

/** Reads everything as of one moment. Writes nothing, so it works on a full disk and while another process writes. */
export function snapshot<Result>(database: Database, read: () => Result): Result {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    rollBack(database);
  }
}

/** Returns false if there is nothing left to roll back: SQLite rolls back by itself when the disk is full or fails. */
export function rollBack(database: Database, to = ""): boolean {
  try {
    database.exec(`ROLLBACK ${to}`);
    return true;
  } catch {
    return false;
  }
}
