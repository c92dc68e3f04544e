import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { NAME_MAX, TEMPLATE_NAME } from "../../api/limits.js";
import { makeFolder } from "./durable.js";

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
  const earlier = (await readdir(runs)).toSorted((a, b) => (a < b ? -1 : 1));
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
