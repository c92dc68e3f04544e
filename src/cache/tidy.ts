import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attempt } from "./replace-file.js";

const DAY = 24 * 60 * 60 * 1000;
const MONTH = 30 * DAY;

/**
 * Removes, once a day, files written more than a month ago, and files that no result refers to. Files that another process
 * removes at the same time are ignored.
 */
export function tidy(folder: string): void {
  const note = path.join(folder, "tidied");
  attempt(() => {
    const before = statSync(note, { throwIfNoEntry: false })?.mtimeMs;
    if (before !== undefined && Math.abs(Date.now() - before) < DAY) return;
    const names = readdirSync(folder).filter((name) => name !== "tidied");
    const entries = names.filter((name) => name.endsWith(".json")).map((name) => readIfThere(path.join(folder, name)));
    const referred = new Set(entries.flatMap((head) => /"apart":\{"file":"([^"]+)"/.exec(head)?.[1] ?? []));
    for (const name of names) {
      const file = path.join(folder, name);
      const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      // A result that refers to it may be about to be written.
      const isOrphan = name.endsWith(".apart") && !referred.has(name) && age > DAY;
      if (age > MONTH || isOrphan) attempt(() => rmSync(file, { force: true }));
    }
    writeFileSync(note, "");
  });
}

function readIfThere(file: string): string {
  let text = "";
  attempt(() => {
    text = readFileSync(file, "utf8");
  });
  return text;
}
