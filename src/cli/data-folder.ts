import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { attempt } from "../cache/replace-file.js";

/** Makes git ignore the project's data folder, including the `.gitignore` file itself. */
export function hideFromGit(dataFolder: string): void {
  const file = path.join(dataFolder, ".gitignore");
  if (existsSync(file)) return;
  attempt(() => {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, "*\n");
  });
}
