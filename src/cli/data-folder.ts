import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Cache, openCache } from "../cache/cache.js";
import { attempt } from "../files.js";
import type { ProjectLocation } from "../project/find-project.js";
import { VERSION } from "../version.js";

/** Makes git ignore the project's data folder, including the `.gitignore` file itself. */
export function hideFromGit(dataFolder: string): void {
  const file = path.join(dataFolder, ".gitignore");
  if (existsSync(file)) return;
  attempt(() => {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(file, "*\n");
  });
}

/** Opens the project's cache for modules that can read these environment variables. */
export function projectCache(
  { dataFolder }: ProjectLocation,
  environment: Readonly<Record<string, string | undefined>>,
): Cache {
  return openCache({ folder: path.join(dataFolder, "cache"), environment, version: buildVersion() });
}

/** Identifies this build of lettershop. In a checkout, many builds have the same version, but not the same build info. */
function buildVersion(): string {
  const built = statSync(new URL("../build.tsbuildinfo", import.meta.url), { throwIfNoEntry: false });
  return [VERSION, process.version, built?.mtimeMs].join(" ");
}
