import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { ConfigurationError } from "../../errors.js";
import {
  type Database,
  type FileDatabase,
  loadFileDriver,
  type SqlValue,
  type Statement,
} from "../../sqlite/driver.js";
import { FileLock, type SharedDatabase } from "../../sqlite/lock.js";
import { transaction } from "../../sqlite/transaction.js";
import { StoreError } from "../errors.js";
import { TIME_SCHEMA } from "./sqlite-time.js";

const LOCK_TIMEOUT_MS = 10_000;
/** How much of that may block this process at a time: as long as other writers usually take. */
const BUSY_TIMEOUT_MS = 5;
/** The version of the tables. A file written by a newer lettershop is not touched. */
const VERSION = 2;
/** Distinguishes a store from other databases: "lett" in ASCII. */
const APPLICATION_ID = 0x6c657474;

/**
 * Opens the file that the mailers of a machine share. The log is flushed with every commit, so that finished writes
 * survive a power failure.
 *
 * @param schemas Scripts that create missing tables.
 * @param upgrades Scripts that upgrade tables of earlier versions, starting with version 1.
 * @throws {StoreError} The file cannot be opened, or is not an SQLite file.
 * @throws {ConfigurationError} It belongs to another program, or to a newer version.
 * @throws {MissingPeerError} Node has no SQLite, and the optional peer is not installed.
 * @throws {PeerLoadError} The peer is installed but does not load.
 */
export async function openStoreFile(
  file: string,
  schemas: readonly string[],
  upgrades: readonly string[] = [],
): Promise<SharedDatabase> {
  const openFile = await loadFileDriver("the mailer's store");
  const absolute = path.resolve(file);
  const lock = new FileLock(LOCK_TIMEOUT_MS);
  let opened: FileDatabase | undefined;
  try {
    await makePrivate(absolute);
    const database = await lock.read(() => openFile(absolute));
    opened = database;
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const { schema } = database;
    const isReady = await lock.read(() => versionOf(database, file) === VERSION);
    await lock.write(() => database.exec(`PRAGMA ${schema}.journal_mode = WAL`));
    database.exec(`PRAGMA ${schema}.synchronous = FULL; PRAGMA ${schema}.secure_delete = ON`);
    // A store that has its tables is only read here, so that it opens on a full disk.
    if (!isReady) await lock.write(() => prepare(database, schemas, upgrades));
    return withReadableErrors(database, file, new FileLock(LOCK_TIMEOUT_MS, checkNotMoved(absolute, file)));
  } catch (error) {
    opened?.close();
    throw error instanceof ConfigurationError ? error : notOpened(file, storeErrorOf(error, file));
  }
}

/**
 * Queued messages are personal: only the user may access the file, and the files that SQLite puts next to it. An
 * existing file is not opened here: closing it would drop the locks that this process has on it (POSIX).
 */
async function makePrivate(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}

/** Checks who the file belongs to before changing it. Returns the version of its tables, 0 for an empty file. */
function versionOf(database: FileDatabase, file: string): number {
  const sql = `SELECT 1 FROM ${database.schema}.sqlite_master LIMIT 1`;
  const isEmpty = database.prepare(sql).get() === undefined;
  if (!isEmpty && numberOf(database, "application_id") !== APPLICATION_ID)
    throw new ConfigurationError(`The store ${file} is the database of another program.`, {
      hint: "Use another file for the store.",
    });
  const version = numberOf(database, "user_version");
  if (version > VERSION)
    throw new ConfigurationError(`The store ${file} was written by a newer version of lettershop.`, {
      hint: "Update lettershop, or use another file for the store.",
    });
  return version;
}

/** Several processes may do this at once; one of them creates the tables. */
function prepare(database: FileDatabase, schemas: readonly string[], upgrades: readonly string[]): void {
  const { schema } = database;
  transaction(database, () => {
    const version = numberOf(database, "user_version");
    if (version === VERSION) return;
    const scripts = version === 0 ? [TIME_SCHEMA, ...schemas] : upgrades.slice(version - 1);
    for (const script of scripts) database.exec(inSchema(script, schema));
    database.exec(`PRAGMA ${schema}.application_id = ${APPLICATION_ID}; PRAGMA ${schema}.user_version = ${VERSION}`);
  });
}

/** Adds the schema to the tables and indexes that a script creates or alters. */
function inSchema(script: string, schema: string): string {
  return script.replaceAll(
    /\b(?:CREATE (?:TABLE|(?:UNIQUE )?INDEX) (?:IF NOT EXISTS )?|ALTER TABLE )/g,
    `$&${schema}.`,
  );
}

function numberOf(database: FileDatabase, pragma: "application_id" | "user_version"): number {
  return Number(database.prepare(`PRAGMA ${database.schema}.${pragma}`).get()?.[pragma]);
}

function notOpened(file: string, cause: unknown): unknown {
  if (cause instanceof StoreError) return cause;
  return new StoreError(
    `Can't open the mailer's store ${file}: ${cause instanceof Error ? cause.message : String(cause)}.`,
    {
      cause,
      hint: "Use a path in a folder that this process may write to.",
    },
  );
}

/** Wraps the database so that errors name the file and what happened to it. */
export function withReadableErrors(database: FileDatabase, file: string, lock: FileLock): SharedDatabase {
  const guard = <Result>(run: () => Result): Result => {
    try {
      return run();
    } catch (error) {
      throw storeErrorOf(error, file);
    }
  };
  return {
    lock,
    schema: database.schema,
    exec: (sql) => guard(() => database.exec(sql)),
    prepare(sql) {
      const statement = guard(() => database.prepare(sql));
      return {
        run: (...parameters) => guard(() => statement.run(...parameters)),
        get: (...parameters) => guard(() => statement.get(...parameters)),
        all: (...parameters) => guard(() => statement.all(...parameters)),
      };
    },
    close: () => guard(() => database.close()),
  };
}

/**
 * Returns a check that an open store is still the file at its path. SQLite keeps writing to a file that was deleted,
 * moved or replaced, and those writes are lost. The check takes a few microseconds. It opens nothing, because closing
 * another descriptor of the file would drop the locks that SQLite has on it (POSIX).
 *
 * @param absolute Its path. The file is open, and so is its write-ahead log.
 */
function checkNotMoved(absolute: string, file: string): () => void {
  const originals = [absolute, `${absolute}-wal`].map((each) => ({ each, identity: identityOf(each) }));
  return () => {
    for (const { each, identity } of originals) {
      if (identity === "unknown") continue;
      const now = identityOf(each);
      if (now !== identity && now !== "unknown") throw movedError(file, now);
    }
  };
}

/** Undefined if there is no file; `unknown` if that cannot be determined. */
function identityOf(filename: string): string | undefined {
  try {
    const facts = statSync(filename, { bigint: true, throwIfNoEntry: false });
    return facts && `${facts.dev}:${facts.ino}`;
  } catch {
    return "unknown";
  }
}

function movedError(file: string, now: string | undefined): StoreError {
  const happened = now === undefined ? "moved or deleted" : "replaced by another file";
  return new StoreError(`The mailer's store ${file} was ${happened} while this process had it open.`, {
    hint: "Restart the process, so that it opens the store again. To replace a store, first stop every process that uses it.",
  });
}

interface Trouble {
  readonly what: string;
  readonly hint: string;
}

const held = {
  what: "another program has locked it",
  hint: "Close programs that keep it open, such as a SQLite shell, a copy or a backup.",
};

/** Keyed by SQLite's messages: both drivers have them, but not always the code. */
const troubles: Readonly<Record<string, Trouble>> = {
  "database is locked": held,
  "database table is locked": held,
  "attempt to write a readonly database": {
    what: "it is read-only",
    hint: "Allow this process to write to the file and its folder.",
  },
  "disk I/O error": {
    what: "the disk failed",
    hint: "Check the disk and the system log. The store must be on a local disk.",
  },
  "database disk image is malformed": {
    what: "it is damaged",
    hint: "Move it away, save what `sqlite3 FILE .recover` finds, and start with a new file.",
  },
  "database or disk is full": {
    what: "the disk is full",
    hint: "Free some space on its disk. Messages that were queued before are still there.",
  },
  "file is not a database": { what: "it is not an SQLite file", hint: "Use another file, or move this one away." },
};

/** With an attached database, this is followed by the file name. */
const NOT_OPENED = "unable to open database";
const cannotOpen = {
  what: "it cannot be opened",
  hint: "It must be in a folder that this process may read and write.",
};

/**
 * Translates SQLite's error into one that names the file, what happened and what to do; returns other errors unchanged.
 */
export function storeErrorOf(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") return error;
  const trouble = error.message.startsWith(NOT_OPENED) ? cannotOpen : troubles[error.message];
  return new StoreError(`Can't use the mailer's store ${file}: ${trouble?.what ?? error.message}.`, {
    cause: error,
    ...(trouble === undefined ? {} : { hint: trouble.hint }),
  });
}

export type SqlRow = Record<string, unknown>;

/** Runs SQL, and prepares each statement once. */
export class Queries {
  readonly #statements = new Map<string, Statement>();

  constructor(private readonly database: Database) {}

  get(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    return this.#prepare(sql).get(...values);
  }

  all(sql: string, ...values: SqlValue[]): SqlRow[] {
    return this.#prepare(sql).all(...values);
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
