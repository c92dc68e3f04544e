import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { type Clock, systemClock } from "../../../src/send/clock.js";
import { OUTBOX_SCHEMA, SqliteOutbox } from "../../../src/send/store/sqlite-outbox.js";
import { openStoreFile } from "../../../src/send/store/sqlite-file.js";
import type { SharedDatabase } from "../../../src/sqlite/lock.js";
import { removeFolder } from "../../remove-folder.js";

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "outbox-"));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export function temporaryFile(): string {
  return path.join(temporaryFolder(), "mail.db");
}

/** An outbox's store in a file, closed after the test. */
export async function openOutboxStore(
  file = temporaryFile(),
  clock: Clock = systemClock,
): Promise<{ store: SqliteOutbox; database: SharedDatabase }> {
  const database = await openStoreFile(file, [OUTBOX_SCHEMA]);
  onTestFinished(() => database.close());
  return { store: new SqliteOutbox(database, clock), database };
}
