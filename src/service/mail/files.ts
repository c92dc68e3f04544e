import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorCode } from "../../errors.js";
import type { MailFile } from "../store/mails.js";

/** What an email consists of, as its files show it. */
export interface FiledEmail {
  readonly source: Uint8Array;
  readonly html: string | undefined;
  readonly text: string | undefined;
}

/**
 * Writes a captured email as files, for people and tools: `<id>.eml`, and `<id>.html` and `<id>.txt` if it has these
 * parts. Forwarded emails are in the subfolder `forwarded`.
 */
export async function writeMailFiles(folder: string, file: MailFile, email: FiledEmail): Promise<void> {
  const parts = [
    { kind: "eml", content: email.source },
    { kind: "html", content: email.html },
    { kind: "txt", content: email.text },
  ];
  for (const { kind, content } of parts) {
    if (content !== undefined) await writeWithFolder(`${pathOf(folder, file)}.${kind}`, content);
  }
}

/** Creates the folder if it is missing, because users may delete it while the service runs. */
async function writeWithFolder(path: string, content: Uint8Array | string): Promise<void> {
  try {
    await writeFile(path, content);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
}

/** Removes the files of a deleted email, if they exist. */
export async function removeMailFiles(folder: string, file: MailFile): Promise<void> {
  await Promise.all(["eml", "html", "txt"].map((kind) => rm(`${pathOf(folder, file)}.${kind}`, { force: true })));
}

function pathOf(folder: string, file: MailFile): string {
  return file.folder === "sent" ? join(folder, file.id) : join(folder, file.folder, file.id);
}
