import { MissingPeerError } from "../errors.js";

export type SqlValue = string | number | null | Uint8Array;

/** The part of `node:sqlite`'s interface that is used here; `@photostructure/sqlite` has the same. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...parameters: SqlValue[]): { readonly changes: number | bigint };
  get(...parameters: SqlValue[]): Record<string, unknown> | undefined;
  all(...parameters: SqlValue[]): Record<string, unknown>[];
}

export type OpenDatabase = (file: string) => Database;

/** A database in a file that is closed completely: no descriptor of it stays open. */
export interface FileDatabase extends Database {
  /**
   * The schema of the file's tables. Statements find them without it; `CREATE` and `PRAGMA` have to name it.
   */
  readonly schema: string;
}

export type OpenFile = (file: string) => FileDatabase;

/**
 * Node's own SQLite where this Node has it without a flag (22.13 and later), else the package that stands in for it.
 *
 * @param neededBy What cannot be without one, as a noun phrase.
 * @throws {MissingPeerError} Neither is there.
 */
export async function loadDriver(neededBy: string): Promise<OpenDatabase> {
  return loadBuiltIn() ?? (await loadPackage(neededBy));
}

/**
 * The same for a file that is opened and closed while the process goes on.
 *
 * @param neededBy What cannot be without one, as a noun phrase.
 * @throws {MissingPeerError} Neither is there.
 */
export async function loadFileDriver(neededBy: string): Promise<OpenFile> {
  const openBuiltIn = loadBuiltIn();
  if (openBuiltIn) return (file) => withSchema(openBuiltIn(file), "main");
  const openDatabase = await loadPackage(neededBy);
  const { openAttached } = await import("./attached.js");
  return (file) => openAttached(openDatabase, file);
}

/** The database, with the name of the schema that its tables are in. */
export function withSchema(database: Database, schema: string): FileDatabase {
  return {
    schema,
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close: () => database.close(),
  };
}

function loadBuiltIn(): OpenDatabase | undefined {
  // Loading it warns that it is experimental, which is no news to a user of lettershop.
  // oxlint-disable-next-line typescript/unbound-method -- it is put back, not called
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule("node:sqlite");
    // Its type says that it is always there; Node 20 has none.
    if (!sqlite) return undefined;
    return (file) => new sqlite.DatabaseSync(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadPackage(neededBy: string): Promise<OpenDatabase> {
  try {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    return (file) => new DatabaseSync(file);
  } catch (cause) {
    throw new MissingPeerError(["@photostructure/sqlite"], neededBy, { cause, isForRunning: true });
  }
}
