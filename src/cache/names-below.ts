import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** The paths of everything in a folder, at any depth, links followed. */
export function namesBelow(folder: string, seen = new Set<string>()): string[] {
  return entriesOf(folder).flatMap((entry) => {
    const file = `${folder}${path.sep}${entry.name}`;
    if (entry.isDirectory()) return [file, ...namesBelow(file, seen)];
    const target = entry.isSymbolicLink() ? folderAt(file) : undefined;
    // A folder that several links lead to is listed once; this also ends cycles.
    if (target === undefined || seen.has(target)) return [file];
    seen.add(target);
    return [file, ...namesBelow(file, seen)];
  });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Undefined for a link to a file, to nothing or to itself. */
function folderAt(link: string): string | undefined {
  try {
    return statSync(link).isDirectory() ? realpathSync(link) : undefined;
  } catch {
    return undefined;
  }
}
