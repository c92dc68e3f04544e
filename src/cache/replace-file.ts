import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file under a temporary name, and renames it: concurrent readers see the old file or the new one. Errors, such as
 * a full disk or missing permissions, are ignored: the next run does the work again.
 */
export function replaceFile(file: string, text: string): void {
  // Not the process id: processes in different namespaces may share one.
  const draft = `${file}.${randomUUID()}`;
  const isInPlace = attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  });
  if (!isInPlace) attempt(() => rmSync(draft, { force: true }));
}

/** Whether it completed without an error. */
export function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
