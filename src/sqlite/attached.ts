import { type FileDatabase, type OpenDatabase, withSchema } from "./driver.js";

const SCHEMA = "attached";

/**
 * Opens a file next to an empty database in memory. `close` of `@photostructure/sqlite` keeps a database's file open until
 * every statement of it has been garbage-collected, and gives no way to finalize one. Detaching closes the file at once.
 */
export function openAttached(openDatabase: OpenDatabase, file: string): FileDatabase {
  const database = openDatabase(":memory:");
  try {
    database.exec(`ATTACH '${file.replaceAll("'", "''")}' AS ${SCHEMA}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    ...withSchema(database, SCHEMA),
    close() {
      try {
        database.exec(`DETACH ${SCHEMA}`);
      } finally {
        database.close();
      }
    },
  };
}
