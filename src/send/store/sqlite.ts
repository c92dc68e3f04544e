import type { Clock } from "../clock.js";
import { LEDGER_SCHEMA, sqliteLedger } from "../delivery/sqlite-ledger.js";
import { OUTBOX_SCHEMA, OUTBOX_UPGRADE, SqliteOutbox } from "../outbox/sqlite-outbox.js";
import { createSqlitePace, PACE_SCHEMA } from "../pace/sqlite-pace.js";
import { sqliteSuppressions, SUPPRESSIONS_SCHEMA } from "../tracking/sqlite-suppressions.js";
import { openStoreFile } from "./open.js";
import type { MailStore } from "./store.js";

/**
 * The store that the processes of a machine share: one SQLite file. A write is on disk when its promise resolves.
 *
 * @example
 * const store = await openMailStore("data/mail.db", systemClock);
 *
 * @throws {StoreError} The file cannot be opened, or is not an SQLite file.
 * @throws {ConfigurationError} It belongs to another program, or to a newer version.
 * @throws {MissingPeerError} Node has no SQLite, and the optional peer is not installed.
 * @throws {PeerLoadError} The peer is installed but does not load.
 */
export async function openMailStore(
  file: string,
  clock: Clock,
): Promise<MailStore & { readonly outbox: SqliteOutbox }> {
  const schemas = [PACE_SCHEMA, LEDGER_SCHEMA, SUPPRESSIONS_SCHEMA, OUTBOX_SCHEMA];
  const database = await openStoreFile(file, schemas, [OUTBOX_UPGRADE]);
  return {
    pace: createSqlitePace(database, clock),
    ledger: sqliteLedger(database),
    suppressions: sqliteSuppressions(database),
    outbox: new SqliteOutbox(database),
    close: async () => database.close(),
  };
}
