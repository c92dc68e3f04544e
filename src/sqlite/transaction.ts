import type { Database } from "./driver.js";

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
