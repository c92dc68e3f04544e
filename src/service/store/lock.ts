import { loadDriver } from "../../sqlite/driver.js";

/** How long to wait for a service that is just closing. */
const PATIENCE_MS = 1_000;

export interface Lock {
  release(): void;
}

/**
 * Takes a file for this process; undefined where another one has it. The lock is SQLite's own on a database without
 * content, which the operating system drops with the process, however that ends: there are no stale locks.
 */
export async function lockFile(file: string): Promise<Lock | undefined> {
  const open = await loadDriver("the local service");
  const database = open(file);
  try {
    // Nothing may be prepared here: a statement that is still around would keep the lock beyond the close.
    database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE`);
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
}
