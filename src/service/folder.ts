import { access, constants, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { errorCode } from "../errors.js";
import { attempt } from "../files.js";
import { loadDriver } from "../sqlite/driver.js";
import { DataFolderError, DataFolderHeldError } from "./errors.js";

/** The file `service.json` in a data folder, about the service that runs or last ran on it. */
const serviceFileSchema = z.object({
  url: z.string(),
  domain: z.string(),
  /** Undefined while it does not listen for SMTP. */
  smtpPort: z.int().optional(),
  /** Process id of the running service. Undefined if none runs. */
  pid: z.int().optional(),
  /**
   * The id that the running service also returns at `/local/service`, because another service may use its port by now.
   */
  id: z.string().optional(),
});

export type ServiceFile = z.infer<typeof serviceFileSchema>;

/** A locked data folder: no other process can use it until it is released. */
export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  readonly databaseFile: string;
  readonly mailFolder: string;
  readServiceFile(): Promise<ServiceFile | undefined>;
  writeServiceFile(content: ServiceFile): Promise<void>;
  release(): void;
}

/**
 * Locks a data folder, which is created if it is missing.
 *
 * @throws DataFolderHeldError if another process uses it; DataFolderError if it is not a folder, or cannot be created
 * or written.
 */
export async function lockDataFolder(path: string): Promise<DataFolder> {
  const folder = resolve(path);
  const serviceFile = join(folder, "service.json");
  await createFolder(folder);
  const lock = await withFolderErrors(folder, async () => {
    // SQLite would only report that it cannot open its file.
    await access(folder, constants.W_OK);
    return await lockFile(join(folder, "service.lock"));
  });
  if (!lock) throw new DataFolderHeldError(folder, (await readServiceFile(serviceFile)) ?? {});
  return {
    path: folder,
    databaseFile: join(folder, "service.db"),
    mailFolder: join(folder, "mail"),
    readServiceFile: () => readServiceFile(serviceFile),
    writeServiceFile: (content) => writeServiceFile(serviceFile, content),
    release: () => lock.release(),
  };
}

/**
 * Runs an action on the files of a data folder.
 *
 * @throws DataFolderError if it fails because of the folder.
 */
export async function withFolderErrors<Result>(folder: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (cause) {
    const reason = folderProblem(cause);
    throw reason === undefined ? cause : new DataFolderError(folder, reason, { cause });
  }
}

/** @throws DataFolderError if the folder is missing and cannot be created. */
async function createFolder(folder: string): Promise<void> {
  try {
    await createWithParents(folder);
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    throw new DataFolderError(folder, folderProblem(cause) ?? `it can't be created there (${code})`, { cause });
  }
}

/**
 * Node's recursive `mkdir` hides the reason: on a read-only disk it fails with ENOENT (Node 20), and below `/proc` it
 * never returns.
 */
async function createWithParents(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (await isFolder(folder)) return;
    const parent = dirname(folder);
    if (errorCode(error) !== "ENOENT" || parent === folder || (await isFolder(parent))) throw error;
    await createWithParents(parent);
    await createWithParents(folder);
  }
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function readServiceFile(file: string): Promise<ServiceFile | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  return serviceFileSchema.safeParse(attempt(() => JSON.parse(text))).data;
}

/** Replaces the file atomically: a reader sees the old or the new content, never a part. Does not block requests, unlike `replaceFile`. */
async function writeServiceFile(file: string, content: ServiceFile): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(content, undefined, 2)}\n`);
  await rename(draft, file);
}

/** Reasons by the codes of Node's errors. */
const files: Readonly<Record<string, string>> = {
  EEXIST: "it is a file, not a folder",
  EISDIR: "a folder has the name of one of its files",
  ENOTDIR: "a part of its path is a file, not a folder",
  EACCES: "this user has no permission to write there",
  EPERM: "this user has no permission to write there",
  EROFS: "it is on a read-only disk",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is used up",
  ENAMETOOLONG: "its path is too long",
};

/** Reasons by the primary codes of SQLite's errors. */
const databases: Readonly<Record<number, string>> = {
  8: "its service.db or service.lock can't be written",
  10: "its service.db can't be read or written; the disk may be full or broken",
  11: "its service.db is damaged",
  13: "the disk is full",
  14: "its service.db or service.lock can't be opened",
  26: "its service.db or service.lock is not a database of the local service",
};

/** Why a data folder cannot be used. Undefined if the error has another cause. */
export function folderProblem(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("errcode" in error && typeof error.errcode === "number") return databases[error.errcode & 0xff];
  return files[errorCode(error) ?? ""];
}

/** Maximum time in ms to wait for a service that is just closing. */
const PATIENCE_MS = 1_000;

interface Lock {
  release(): void;
}

/**
 * Locks a file for this process. Undefined if another process has locked it. This is SQLite's own lock on an empty
 * database, which the operating system releases when the process ends for any reason, so there are no stale locks.
 */
async function lockFile(file: string): Promise<Lock | undefined> {
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
