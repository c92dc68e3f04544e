import type { Clock } from "../clock.js";
import { LEDGER_SCHEMA, sqliteLedger } from "./sqlite-ledger.js";
import { OUTBOX_SCHEMA, OUTBOX_UPGRADE, SqliteOutbox } from "./sqlite-outbox.js";
import { createSqlitePace, PACE_SCHEMA } from "./sqlite-pace.js";
import { openStoreFile } from "./sqlite-file.js";
import type { MailStore, Suppression, SuppressionStore } from "./store.js";
import type { SharedDatabase } from "../../sqlite/lock.js";
import { transaction } from "../../sqlite/transaction.js";

/**
 * The store that the processes of a machine share: one SQLite file. A write is on disk when its promise resolves.
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
    ledger: sqliteLedger(database, clock),
    suppressions: sqliteSuppressions(database),
    outbox: new SqliteOutbox(database, clock),
    close: async () => database.close(),
  };
}

/** Removed addresses stay, marked, so that the same bounce does not add them again. */
export const SUPPRESSIONS_SCHEMA = `
  CREATE TABLE IF NOT EXISTS suppressions (
    email TEXT PRIMARY KEY,
    reason TEXT NOT NULL,
    since INTEGER NOT NULL,
    event TEXT,
    removed INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
`;

/** Suppressions in the file that the processes of a machine share. */
function sqliteSuppressions(database: SharedDatabase): SuppressionStore {
  const isThere = database.prepare("SELECT 1 FROM suppressions WHERE email = ? AND NOT removed");
  const add = database.prepare(`
    INSERT INTO suppressions (email, reason, since, event) VALUES (?, ?, ?, ?)
    ON CONFLICT (email) DO UPDATE
      SET reason = excluded.reason, since = excluded.since, event = excluded.event, removed = 0
      WHERE excluded.event IS NULL OR excluded.since > since OR (excluded.since = since AND excluded.event IS NOT event)`);
  const remove = database.prepare("UPDATE suppressions SET removed = 1 WHERE email = ? AND NOT removed");
  const find = database.prepare(`
    SELECT * FROM suppressions WHERE email IN (SELECT value FROM json_each(?)) AND NOT removed`);
  const list = database.prepare("SELECT * FROM suppressions WHERE NOT removed ORDER BY since DESC, email");
  const inTransaction = <Result>(change: () => Result) => database.lock.write(() => transaction(database, change));

  return {
    find: (emails) =>
      database.lock.read(() => find.all(JSON.stringify(emails.map((email) => email.toLowerCase()))).map(toSuppression)),
    add: ({ email, reason, since, event = null }) =>
      inTransaction(() => {
        const key = email.toLowerCase();
        const wasThere = isThere.get(key) !== undefined;
        return Number(add.run(key, reason, since, event).changes) > 0 && !wasThere;
      }),
    remove: (email) => inTransaction(() => Number(remove.run(email.toLowerCase()).changes) > 0),
    list: () => database.lock.read(() => list.all().map(toSuppression)),
  };
}

function toSuppression({ email, reason, since, event }: Record<string, unknown>): Suppression {
  return {
    email: String(email),
    reason: String(reason),
    since: Number(since),
    ...(typeof event === "string" && { event }),
  };
}
