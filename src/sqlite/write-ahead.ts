import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./driver.js";

const AGAIN_AFTER_MS = 5;

/**
 * Makes the file keep a write-ahead log. Where several processes do it at once with a new file, SQLite refuses all but one
 * without waiting its busy time-out: the others try again for as long.
 */
export async function useWriteAheadLog(database: Database, busyTimeoutMs: number): Promise<void> {
  const until = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= until) throw error;
      await sleep(AGAIN_AFTER_MS);
    }
  }
}

/** By SQLite's own words, which both drivers give. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === "database is locked";
}
