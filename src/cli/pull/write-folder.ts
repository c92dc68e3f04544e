import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Creates a folder with all of its files, or none.
 *
 * @param files By path relative to the folder.
 * @returns False if the folder already exists; it is not changed then.
 */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<boolean> {
  await mkdir(path.dirname(folder), { recursive: true });
  // Hidden, so that it isn't taken for a template, and next to the target, so that moving it is atomic.
  const temporary = await mkdtemp(path.join(path.dirname(folder), ".pull-"));
  try {
    const draft = path.join(temporary, path.basename(folder));
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(draft, file)), { recursive: true });
      await writeFile(path.join(draft, file), text);
    }
    return await moveTo(draft, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function moveTo(draft: string, folder: string): Promise<boolean> {
  try {
    await rename(draft, folder);
    return true;
  } catch (error) {
    if (existsSync(folder)) return false;
    throw error;
  }
}
