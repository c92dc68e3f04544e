import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../errors.js";

/**
 * Writes a captured email as files, for people and tools: `<id>.eml`, and `<id>.html` and `<id>.txt` if it has these
 * parts.
 */
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

/** Creates the folder if it is missing, because users may delete it while the service runs. */
async function writeInto(folder: string, name: string, content: Uint8Array | string): Promise<void> {
  try {
    await writeFile(join(folder, name), content);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Removes the files of a deleted email, if they exist. */
export async function removeMailFiles(folder: string, id: string): Promise<void> {
  await Promise.all(["eml", "html", "txt"].map((kind) => rm(join(folder, `${id}.${kind}`), { force: true })));
}
