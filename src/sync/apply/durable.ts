import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { LettershopError } from "../../errors.js";

/** The folder in which a run notes what it does cannot be made. */
export class RunFolderError extends LettershopError {
  override readonly name = "RunFolderError";
  readonly code = "run_folder";

  constructor(folder: string, cause: unknown) {
    super(`The folder ${folder} cannot be made, and without it nothing is applied.`, {
      cause,
      hint: cause instanceof Error ? cause.message : "",
    });
  }
}

/**
 * Makes a file that must not be there yet, and leaves it open for more.
 *
 * @param text Is on the disk when this resolves, and so is the file's name.
 * @throws With the code `EEXIST` where the file is there.
 */
export async function createDurably(file: string, text: string): Promise<FileHandle> {
  const handle = await open(file, "wx");
  try {
    await appendDurably(handle, text);
    await keepNames(path.dirname(file));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

/** Makes a file whose name is there only once all of it is; whatever had the name is gone. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const part = path.join(folder, `.${randomUUID()}`);
  await (await createDurably(part, text)).close();
  await rename(part, file);
  await keepNames(folder);
}

export async function appendDurably(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text);
  await handle.datasync();
}

/** Makes a folder, with those above it; false where it is there. */
export async function makeFolder(folder: string): Promise<boolean> {
  const first = await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new RunFolderError(folder, cause);
  });
  if (first === undefined) return false;
  await keepNames(path.dirname(first));
  return true;
}

/** A new file survives a power cut once its folder is on the disk too. Windows does that by itself, and opens no folder. */
async function keepNames(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
