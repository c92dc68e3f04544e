import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { NAME_MAX, TEMPLATE_NAME } from "../../api/limits.js";
import { makeFolder } from "./durable.js";

/** Below an environment's folder, a folder for each run, named by when it began. */
export const RUNS = "runs";
export const JOURNAL = "journal.jsonl";

/** Runs that are kept: those before are long past. */
const KEPT_RUNS = 50;

/** What Windows takes for a device, with any extension. */
const windowsDevice = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** Makes a run's folder, whose name comes after all others, and removes the oldest that are too many. */
export async function makeRunFolder(folder: string): Promise<string> {
  const runs = path.join(folder, RUNS);
  await makeFolder(runs);
  const earlier = (await readdir(runs)).toSorted((a, b) => (a < b ? -1 : 1));
  const last = earlier.at(-1) ?? "";
  const time = new Date().toISOString().replaceAll(":", "-");
  // Where the clock was set back, time does not tell the order.
  const run = path.join(runs, time > last ? time : `${last}~`);
  await makeFolder(run);
  const surplus = earlier.slice(0, Math.max(0, earlier.length + 1 - KEPT_RUNS));
  await Promise.all(surplus.map((old) => rm(path.join(runs, old), { recursive: true, force: true })));
  return run;
}

/** Where a run keeps templates as they were before. */
export function beforeFolder(run: string): string {
  return path.join(run, "before");
}

/**
 * A name for a file that every system can have, and that no other template has. A template's own name never begins with
 * `_`; with the extension, one of 250 characters is within what file systems take.
 */
export function templateFile(name: string): string {
  if (windowsDevice.test(name)) return `_${name}.json`;
  if (TEMPLATE_NAME.test(name) && name.length <= NAME_MAX) return `${name}.json`;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `_${name.replace(/[^a-z0-9_-]/g, "-").slice(0, 200)}-${hash}.json`;
}
