import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes a captured mail for people and tools that read files: `<id>.eml`, and `<id>.html` and `<id>.txt` where it has them. */
export async function writeMailFiles(
  folder: string,
  id: string,
  mail: { readonly source: Uint8Array; readonly html: string | undefined; readonly text: string | undefined },
): Promise<void> {
  // Each time: clearing the folder while the service runs is a fair way to tidy up.
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, `${id}.eml`), mail.source),
    mail.html === undefined ? undefined : writeFile(join(folder, `${id}.html`), mail.html),
    mail.text === undefined ? undefined : writeFile(join(folder, `${id}.txt`), mail.text),
  ]);
}
