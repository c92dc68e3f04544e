import { randomUUID } from "node:crypto";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Writes a file whole, under a name of its own, and moves it to its place: whoever reads it meanwhile sees the one before
 * or this one. A full disk, or a folder that is not ours to write in, keeps nothing: the next run does the work again.
 */
export function replaceFile(file: string, text: string): void {
  // Not the process's id: one in a namespace of its own has the same as others.
  const draft = `${file}.${randomUUID()}`;
  const isInPlace = attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, file);
  });
  if (!isInPlace) attempt(() => rmSync(draft, { force: true }));
}

/** Whether it went without an error. */
export function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
