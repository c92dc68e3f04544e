import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attempt } from "../../cache/replace-file.js";
import { newToken } from "../../preview/server/http/token.js";
import { hideFromGit } from "../data-folder.js";

/**
 * The token that opens a project's preview from other machines: the same at each start, so that pages and bookmarks go on.
 * Where it can't be kept as its user's alone, each start has another one.
 */
export function keptToken(dataFolder: string): string {
  const file = path.join(dataFolder, "preview-token");
  const kept = readPrivate(file);
  if (kept !== undefined && /^[\w-]{32}$/.test(kept)) return kept;
  const token = newToken();
  hideFromGit(dataFolder);
  writePrivate(file, token);
  return token;
}

/** What is in a file that only its user can read; undefined where others can, or could until now. */
function readPrivate(file: string): string | undefined {
  try {
    // Windows has no modes: a user's folder is private there.
    const isPrivate = process.platform === "win32" || (statSync(file).mode & 0o077) === 0;
    return isPrivate ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a file that only its user can read; gives whether it could. */
export function writePrivate(file: string, text: string): boolean {
  return attempt(() => {
    mkdirSync(path.dirname(file), { recursive: true });
    // The mode is that of a new file: one that is there would keep its own.
    rmSync(file, { force: true });
    writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  });
}
