import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Project } from "../../config/load.js";
import { type Lock, type LockEntry, parseLock, printLock } from "../../sync/index.js";
import { ConfigurationError } from "../../errors.js";
import type { Output } from "../output.js";
import { unwritable } from "./unwritable.js";

const NAME = "templates.lock.json";

/** `templates.lock.json` beside the configuration, as far as it is about one environment. */
export interface LockFile {
  /** By name on the service; empty where there is no lock. */
  readonly entries: ReadonlyMap<string, LockEntry>;
  /** Writes these entries beside those of other environments; leaves the file alone where they are the same. */
  write(entries: ReadonlyMap<string, LockEntry>): Promise<void>;
}

/** A lock that nothing is known from and nothing is written to. */
export const noLock: LockFile = { entries: new Map(), write: async () => undefined };

export function lockFile({ folder }: Pick<Project, "folder">): string {
  return path.join(folder, NAME);
}

/** Opens the project's lock. A damaged one is said and not used: it only saves requests. */
export function openLock(project: Pick<Project, "folder">, key: string, output: Output): LockFile {
  const file = lockFile(project);
  const lock = readLock(file, output);
  return {
    entries: lock.get(key) ?? new Map(),
    async write(entries) {
      // Read again: another environment may have been synced meanwhile.
      const next = printLock(new Map([...readLock(file), [key, entries]]));
      if (next === textOf(file)) return;
      const draft = `${file}.${process.pid}`;
      try {
        await writeFile(draft, next);
        await rename(draft, file);
      } catch (cause) {
        throw unwritable(file, "The lock", cause);
      }
    },
  };
}

function readLock(file: string, output?: Output): Lock {
  const text = textOf(file);
  if (text === undefined) return new Map();
  const lock = parseLock(text);
  if (lock === undefined) output?.note(`${NAME} cannot be read and is not used; this run writes it anew.`);
  return lock ?? new Map();
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new ConfigurationError(`The lock ${file} cannot be read.`, {
      cause: error,
      hint: error instanceof Error ? error.message : String(error),
    });
  }
}
