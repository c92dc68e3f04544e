import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { LettershopError } from "../../errors.js";
import { NAME_MAX, TEMPLATE_NAME } from "../../api/limits.js";

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

/** Creates or replaces a file atomically: its name only appears once its content is complete. Unlike
 * `replaceFile`, it waits until both are on disk, because they must survive a power failure. */
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

/** In an environment's folder, a folder for each run, named after its start time. */
export const RUNS = "runs";
export const JOURNAL = "journal.jsonl";

/** Number of runs to keep; older ones are deleted. */
const KEPT_RUNS = 50;

/** Names that Windows treats as devices, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Creates a run's folder, whose name sorts after all others, and removes the oldest surplus ones. */
export async function makeRunFolder(folder: string): Promise<string> {
  const runs = path.join(folder, RUNS);
  await makeFolder(runs);
  const earlier = (await readdir(runs)).toSorted();
  const last = earlier.at(-1) ?? "";
  const time = new Date().toISOString().replaceAll(":", "-");
  // If the clock was set back, the time does not give the order.
  const run = path.join(runs, time > last ? time : `${last}~`);
  await makeFolder(run);
  const surplus = earlier.slice(0, Math.max(0, earlier.length + 1 - KEPT_RUNS));
  await Promise.all(surplus.map((old) => rm(path.join(runs, old), { recursive: true, force: true })));
  return run;
}

/** Where a run keeps previous versions of templates. */
export function beforeFolder(run: string): string {
  return path.join(run, "before");
}

/**
 * A file name that is valid on every system and unique to the template. A template's own name never begins with `_`;
 * with the extension, 250 characters are within the limits of file systems.
 */
export function templateFile(name: string): string {
  if (windowsDevice.test(name)) return `_${name}.json`;
  if (TEMPLATE_NAME.test(name) && name.length <= NAME_MAX) return `${name}.json`;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `_${name.replace(/[^a-z0-9_-]/g, "-").slice(0, 200)}-${hash}.json`;
}
