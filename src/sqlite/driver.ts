import type * as sqlite from "@photostructure/sqlite";
import { MissingPeerError, PeerLoadError } from "../errors.js";

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

/** A database in a file. Closing it leaves no file descriptor open. */
export interface FileDatabase extends Database {
  /** The schema of the file's tables. Queries work without it; `CREATE` and `PRAGMA` must name it. */
  readonly schema: string;
}

export type OpenFile = (file: string) => FileDatabase;

const PEER = "@photostructure/sqlite";

/**
 * Returns Node's own SQLite if Node has it without a flag (22.13 and later), otherwise the optional peer.
 *
 * @param neededBy What needs a database, as a noun phrase.
 * @throws {MissingPeerError} Node has no SQLite, and the peer is not installed.
 * @throws {PeerLoadError} The peer is installed but does not load, usually because its native binary is missing.
 */
export async function loadDriver(neededBy: string): Promise<OpenDatabase> {
  return loadBuiltIn() ?? (await loadPeer(neededBy));
}

/**
 * Like `loadDriver`, for a file that is opened and closed while the process keeps running. Throws the same errors.
 *
 * @param neededBy What needs a database, as a noun phrase.
 */
export async function loadFileDriver(neededBy: string): Promise<OpenFile> {
  const openBuiltIn = loadBuiltIn();
  if (openBuiltIn) return (file) => withSchema(openBuiltIn(file), "main");
  const openDatabase = await loadPeer(neededBy);
  return (file) => openAttached(openDatabase, file);
}

const ATTACHED = "attached";

/**
 * Attaches a file to an empty in-memory database. `close` of `@photostructure/sqlite` keeps a database's file open
 * until all its statements have been garbage-collected, and there is no way to finalize one. Detaching closes the file
 * at once.
 */
function openAttached(openDatabase: OpenDatabase, file: string): FileDatabase {
  const database = openDatabase(":memory:");
  try {
    database.exec(`ATTACH '${file.replaceAll("'", "''")}' AS ${ATTACHED}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    ...withSchema(database, ATTACHED),
    close() {
      try {
        database.exec(`DETACH ${ATTACHED}`);
      } finally {
        database.close();
      }
    },
  };
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
  // Loading it warns that it is experimental, which users of lettershop cannot change.
  // oxlint-disable-next-line typescript/unbound-method -- it is restored, not called
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const sqlite = process.getBuiltinModule("node:sqlite");
    // Its type says that it always exists, but Node 20 does not have it.
    if (!sqlite) return undefined;
    return (file) => new sqlite.DatabaseSync(file);
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadPeer(neededBy: string): Promise<OpenDatabase> {
  try {
    const { DatabaseSync } = await importAtRunTime<typeof sqlite>(PEER);
    return (file) => new DatabaseSync(file);
  } catch (cause) {
    if (isNotInstalled(cause)) throw new MissingPeerError([PEER], neededBy, { cause, isForRunning: true });
    throw new PeerLoadError(PEER, neededBy, {
      cause,
      hint: `Its native binary may be missing. Run: npm rebuild ${PEER}. In a deployment, copy the package's \`prebuilds\` folder too (with Next.js, list it in \`outputFileTracingIncludes\`).`,
    });
  }
}

/**
 * Imports a package that bundlers must leave alone: it finds its native binary next to its own files, and most
 * applications don't need it. The name is a parameter, not a literal, because esbuild, Rollup and Bun have no comment
 * for this.
 */
function importAtRunTime<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}

/** Whether the package itself was not found, as opposed to one of its files or dependencies. */
function isNotInstalled(cause: unknown): boolean {
  if (typeof cause !== "object" || cause === null || !("code" in cause) || !("message" in cause)) return false;
  const { code, message } = cause;
  return (
    (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") &&
    typeof message === "string" &&
    /^Cannot find (?:package|module) '@photostructure\/sqlite'/.test(message)
  );
}
