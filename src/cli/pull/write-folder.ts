import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/**
 * Writes a folder that is not there yet, all of its files or none.
 *
 * @param files By their path in it.
 * @returns Whether it was written: what is there already stays as it is.
 */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<boolean> {
  await mkdir(path.dirname(folder), { recursive: true });
  // Hidden, so that nobody takes it for a template, and beside its place, so that moving it is one step.
  const temporary = await mkdtemp(path.join(path.dirname(folder), ".pull-"));
  try {
    const made = path.join(temporary, path.basename(folder));
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(made, file)), { recursive: true });
      await writeFile(path.join(made, file), text);
    }
    return await moveTo(made, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function moveTo(made: string, folder: string): Promise<boolean> {
  try {
    await rename(made, folder);
    return true;
  } catch (error) {
    if (existsSync(folder)) return false;
    throw error;
  }
}
