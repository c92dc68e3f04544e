import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attempt } from "../../cache/replace-file.js";
import { newToken } from "../../preview/server/http/token.js";
import { hideFromGit } from "../data-folder.js";

/**
 * The token that opens a project's preview from other machines. It is stored, so that open pages and bookmarks keep working after
 * a restart. If it can't be stored privately, each start has a new one.
 */
export function keptToken(dataFolder: string): string {
  const file = path.join(dataFolder, "preview-token");
  const saved = readPrivate(file);
  if (saved !== undefined && /^[\w-]{32}$/.test(saved)) return saved;
  const token = newToken();
  hideFromGit(dataFolder);
  writePrivate(file, token);
  return token;
}

/** Reads a file that only its user can read; undefined if others can read it, too. */
function readPrivate(file: string): string | undefined {
  try {
    // Windows has no file modes; a user's folder is private there.
    const isPrivate = process.platform === "win32" || (statSync(file).mode & 0o077) === 0;
    return isPrivate ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file that only its user can read. Returns whether it was written. */
export function writePrivate(file: string, text: string): boolean {
  return attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    // Delete the file first: `mode` only applies to new files.
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  });
}
