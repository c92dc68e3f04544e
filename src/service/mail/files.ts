import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a captured mail for people and tools that read files: `<id>.eml`, and `<id>.html` and `<id>.txt` where it has them. */
export async function writeMailFiles(
  folder: string,
  id: string,
  mail: { readonly source: Uint8Array; readonly html: string | undefined; readonly text: string | undefined },
): Promise<void> {
  const files = [
    { kind: "eml", content: mail.source },
    { kind: "html", content: mail.html },
    { kind: "txt", content: mail.text },
  ];
  for (const { kind, content } of files) {
    if (content !== undefined) await writeInto(folder, `${id}.${kind}`, content);
  }
}

/** Makes the folder where it is missing: clearing it while the service runs is a fair way to tidy up. */
async function writeInto(folder: string, name: string, content: Uint8Array | string): Promise<void> {
  try {
    await writeFile(join(folder, name), content);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Removes the files of a mail that is deleted, where they are. */
export async function removeMailFiles(folder: string, id: string): Promise<void> {
  await Promise.all(["eml", "html", "txt"].map((kind) => rm(join(folder, `${id}.${kind}`), { force: true })));
}
