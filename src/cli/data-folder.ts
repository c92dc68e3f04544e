import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attempt } from "../cache/replace-file.js";

/** Makes the project's data folder one that git passes over. A clone comes without: the file leaves itself out, too. */
export function hideFromGit(dataFolder: string): void {
  const file = path.join(dataFolder, ".gitignore");
  if (existsSync(file)) return;
  attempt(() => {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, "*\n");
  });
}
