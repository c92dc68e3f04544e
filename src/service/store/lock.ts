import { loadDriver } from "../../sqlite/driver.js";

/** Maximum time in ms to wait for a service that is just closing. */
const PATIENCE_MS = 1_000;

export interface Lock {
  release(): void;
}

/**
 * Locks a file for this process. Undefined if another process has locked it. This is SQLite's own lock on an empty
 * database, which the operating system releases when the process ends for any reason, so there are no stale locks.
 */
export async function lockFile(file: string): Promise<Lock | undefined> {
  const open = await loadDriver("the local service");
  const database = open(file);
  try {
    // Nothing may be prepared here: a statement that still exists would keep the lock after closing.
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
