import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Clock } from "../../../src/send/clock.js";
import { createMemoryPace } from "../../../src/send/store/memory.js";
import { createSqlitePace, PACE_SCHEMA } from "../../../src/send/store/sqlite-pace.js";
import { TIME_SCHEMA } from "../../../src/send/store/sqlite-time.js";
import type { PaceStore } from "../../../src/send/store/pace.js";
import { withReadableErrors } from "../../../src/send/store/sqlite-file.js";
import { loadDriver, withSchema } from "../../../src/sqlite/driver.js";
import { FileLock, type SharedDatabase } from "../../../src/sqlite/lock.js";
import { removeFolder } from "../../remove-folder.js";

/** A folder that is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "lettershop-pace-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** Opens a store's file as a process does. */
export async function openFile(file: string): Promise<SharedDatabase> {
  const open = await loadDriver("the test");
  const database = open(file);
  database.exec("PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  database.exec(TIME_SCHEMA + PACE_SCHEMA);
  return withReadableErrors(withSchema(database, "main"), file, new FileLock(10_000));
}

/** What the processes of one machine share. */
export interface Machine {
  /** For one more process. */
  open(): Promise<PaceStore>;
  close(): void;
}

export type CreateMachine = (clock: Clock) => Promise<Machine>;

/** One process with several mailers. */
export const inMemory: CreateMachine = async (clock) => {
  const store = createMemoryPace(clock);
  return { open: async () => store, close: () => undefined };
};

export const inOneFile: CreateMachine = async (clock) => {
  const file = join(await temporaryFolder(), "store.db");
  const databases: SharedDatabase[] = [];
  return {
    async open() {
      const database = await openFile(file);
      databases.push(database);
      return createSqlitePace(database, clock);
    },
    close: () => databases.forEach((database) => database.close()),
  };
};

export const kinds: readonly (readonly [string, CreateMachine])[] = [
  ["in memory", inMemory],
  ["in a file", inOneFile],
];
