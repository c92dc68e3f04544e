import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rename } from "node:fs/promises";
import path from "node:path";
import { LettershopError } from "../../errors.js";

/** The folder for a run's records cannot be created. */
export class RunFolderError extends LettershopError {
  override readonly name = "RunFolderError";
  readonly code = "run_folder";

  constructor(folder: string, cause: unknown) {
    super(`Can't create the folder ${folder}, and nothing was applied.`, {
      cause,
      hint: cause instanceof Error ? cause.message : "",
    });
  }
}

/**
 * Creates a file that must not exist yet, and leaves it open for appending.
 *
 * @param text On disk when this resolves, as is the file's name.
 * @throws With the code `EEXIST` if the file exists.
 */
export async function createDurably(file: string, text: string): Promise<FileHandle> {
  const handle = await open(file, "wx");
  try {
    await appendDurably(handle, text);
    await flushFolder(path.dirname(file));
  } catch (error) {
    await handle.close();
    throw error;
  }
  return handle;
}

/** Creates or replaces a file atomically: its name only appears once its content is complete. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const part = path.join(folder, `.${randomUUID()}`);
  await (await createDurably(part, text)).close();
  await rename(part, file);
  await flushFolder(folder);
}

export async function appendDurably(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text);
  await handle.datasync();
}

/** Creates a folder and its parents. Returns false if it exists. */
export async function makeFolder(folder: string): Promise<boolean> {
  const first = await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new RunFolderError(folder, cause);
  });
  if (first === undefined) return false;
  await flushFolder(path.dirname(first));
  return true;
}

/**
 * A new file survives a power failure only once its folder is on disk too. Windows does that by itself, and cannot open
 * folders.
 */
async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
