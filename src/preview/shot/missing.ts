import { readdir } from "node:fs/promises";
import path from "node:path";

/** Pictures in a folder that none of these files takes the place of, below it and with `/`. */
export async function missingFrom(folder: string, files: readonly string[]): Promise<string[]> {
  const taken = new Set(files);
  const there = await readdir(folder, { recursive: true }).catch(() => []);
  return there
    .filter((file) => file.endsWith(".png") && !file.endsWith(".diff.png"))
    .map((file) => file.replaceAll(path.sep, "/"))
    .filter((file) => !taken.has(file))
    .toSorted();
}
