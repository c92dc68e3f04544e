import { readFileSync } from "node:fs";
import path from "node:path";
import type { Project } from "../../project/load-project.js";
import { type Lock, type LockEntry, parseLock, printLock } from "../../sync/index.js";
import { ConfigurationError } from "../../errors.js";
import type { Output } from "../output.js";
import { cannotWrite } from "../failure.js";
import { replaceFile } from "../../files.js";

const NAME = "templates.lock.json";

/** One environment's part of `templates.lock.json`, which is next to the configuration. */
export interface LockFile {
  /** By name on the service; empty if there is no lock. */
  readonly entries: ReadonlyMap<string, LockEntry>;
  /** Replaces this environment's entries and keeps those of others. Does not write the file if nothing has changed. */
  write(entries: ReadonlyMap<string, LockEntry>): Promise<void>;
}

/** A lock without entries that is never written. */
export const noLock: LockFile = { entries: new Map(), write: async () => undefined };

export function lockFile({ folder }: Pick<Project, "folder">): string {
  return path.join(folder, NAME);
}

/** Opens the project's lock. A damaged one is reported and ignored: the lock only saves requests. */
export function openLock(project: Pick<Project, "folder">, key: string, output: Output): LockFile {
  const file = lockFile(project);
  const lock = readLock(file, output);
  return {
    entries: lock.get(key) ?? new Map(),
    async write(entries) {
      // Read again: another environment may have been synced in the meantime.
      const next = printLock(new Map([...readLock(file), [key, entries]]));
      if (next === textOf(file)) return;
      try {
        replaceFile(file, next);
      } catch (cause) {
        throw cannotWrite(file, "The lock", cause);
      }
    },
  };
}

function readLock(file: string, output?: Output): Lock {
  const text = textOf(file);
  if (text === undefined) return new Map();
  const lock = parseLock(text);
  if (lock === undefined) output?.note(`${NAME} is damaged and is ignored. This run rewrites it.`);
  return lock ?? new Map();
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ConfigurationError(`Can't read the lock ${file}.`, {
      cause: error,
      hint: error instanceof Error ? error.message : String(error),
    });
  }
}
