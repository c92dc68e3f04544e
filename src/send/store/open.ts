import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import { ConfigurationError } from "../../errors.js";
import { type Database, loadDriver } from "../../sqlite/driver.js";
import { Lock, type SharedDatabase } from "../../sqlite/lock.js";
import { transaction } from "../../sqlite/transaction.js";
import { inWords } from "./in-words.js";
import { StoreError, storeErrorOf } from "./store-error.js";

/** How long to wait for another process that writes. */
const LOCK_TIMEOUT_MS = 10_000;
/** How much of that the whole process stands still for, at a time: as long as others mostly take. */
const BUSY_TIMEOUT_MS = 5;
/** Counts the changes of the tables; a file that a newer lettershop has written is not touched. */
const VERSION = 1;
/** Tells a store from other databases: "lett" in ASCII. */
const APPLICATION_ID = 0x6c657474;

/**
 * Opens the file that a machine's mailers share. What is written to it survives the end of the machine, too, when the
 * write returns: the log is flushed with every commit.
 *
 * @param schemas What makes the tables, where they are not there.
 * @throws {StoreError} The file cannot be opened, or is no SQLite file.
 * @throws {ConfigurationError} It is another program's, or a newer version's.
 * @throws {MissingPeerError} Node has no SQLite, and the optional peer is not installed.
 * @throws {PeerLoadError} The peer is installed and does not load.
 */
export async function openStoreFile(file: string, schemas: readonly string[]): Promise<SharedDatabase> {
  const openFile = await loadDriver("the mailer's store");
  await makePrivate(file).catch((cause: unknown) => {
    throw notOpened(file, cause);
  });
  const lock = new Lock(LOCK_TIMEOUT_MS);
  let opened: Database | undefined;
  try {
    const database = openFile(file);
    opened = database;
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    await lock.read(() => checkOwner(database, file));
    await lock.write(() => database.exec("PRAGMA journal_mode = WAL"));
    database.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
    await lock.write(() => prepare(database, schemas));
    return inWords(database, file, lock);
  } catch (error) {
    opened?.close();
    throw error instanceof ConfigurationError ? error : notOpened(file, storeErrorOf(error, file));
  }
}

/** What is queued is personal: the file is its user's alone, and so are those that SQLite puts beside it. */
async function makePrivate(file: string): Promise<void> {
  await mkdir(path.dirname(path.resolve(file)), { recursive: true });
  await (await open(file, "a", 0o600)).close();
}

/** Before anything in the file is changed. */
function checkOwner(database: Database, file: string): void {
  const isEmpty = database.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() === undefined;
  if (!isEmpty && numberOf(database, "application_id") !== APPLICATION_ID)
    throw new ConfigurationError(`${file} is another program's database.`, {
      hint: "Name another file for the store.",
    });
  if (numberOf(database, "user_version") > VERSION)
    throw new ConfigurationError(`The store ${file} was written by a newer lettershop.`, {
      hint: "Use that version, or another file.",
    });
}

/** Several processes may come at once, the first time: one of them makes the tables. */
function prepare(database: Database, schemas: readonly string[]): void {
  transaction(database, () => {
    if (numberOf(database, "user_version") === VERSION) return;
    for (const schema of schemas) database.exec(schema);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}`);
  });
}

function numberOf(database: Database, pragma: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${pragma}`).get()?.[pragma]);
}

function notOpened(file: string, cause: unknown): unknown {
  if (cause instanceof StoreError) return cause;
  return new StoreError(
    `The mailer's store ${file} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}.`,
    {
      cause,
      hint: "It takes a path in a folder that this process may write.",
    },
  );
}
