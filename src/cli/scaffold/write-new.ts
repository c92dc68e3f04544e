import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/** Writes files below a folder. Existing files are not changed. */
export async function writeNewFiles(
  folder: string,
  files: ReadonlyMap<string, string | Buffer>,
): Promise<{ readonly written: string[]; readonly kept: string[] }> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const [relative, content] of files) {
    const file = path.join(folder, relative);
    await mkdir(path.dirname(file), { recursive: true });
    try {
      await writeFile(file, content, { flag: "wx" });
      written.push(file);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      kept.push(file);
    }
  }
  return { written, kept };
}
