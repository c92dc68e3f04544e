import { randomUUID } from "node:crypto";
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

/** Whether a path is the folder itself or inside it. Compares absolute paths as written; does not resolve links. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

/** A folder and its parents, innermost first. */
export function* upwards(folder: string): Generator<string> {
  yield folder;
  const parent = path.dirname(folder);
  if (parent !== folder) yield* upwards(parent);
}

/**
 * Writes a file under a temporary name next to it, and renames it: concurrent readers see the old file or the new one. An
 * existing file's mode is kept. Does not wait until the disk has the content.
 *
 * @throws The error of the file system; the file is unchanged then.
 */
export function replaceFile(file: string, text: string): void {
  // Not the process id: processes in different namespaces may share one.
  const draft = path.join(path.dirname(file), `.${randomUUID()}.tmp`);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  try {
    writeFileSync(draft, text, { mode });
    // The mode of a new file is reduced by the umask.
    if (mode !== undefined) chmodSync(draft, mode);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** The action's result; undefined if it throws. */
export function attempt<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
