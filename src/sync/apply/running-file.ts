import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hasEnded, type ProcessIdentity } from "./process-identity.js";

/** The content of a run's `running.json`. */
export interface RunningEntry extends ProcessIdentity {
  /** ISO 8601. */
  readonly since: string;
  /** Distinguishes runs of one process. */
  readonly token: string;
}

export interface RunningFile {
  /** Absent while it is being written, or if that was interrupted. */
  readonly entry?: RunningEntry;
  readonly text: string;
  readonly touched: Date;
}

/** A file that was not touched for this long belongs to a run that has ended, whatever process has its number now. */
const SILENCE_MS = 30_000;
/** Maximum time for writing it. */
const WRITING_MS = 2_000;

/** Returns false if there is one already. */
export async function makeRunningFile(file: string, entry: RunningEntry): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(entry), { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

export async function readRunningFile(file: string): Promise<RunningFile | undefined> {
  try {
    const [text, { mtime: touched }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    const entry = parse(text);
    return { text, touched, ...(entry === undefined ? {} : { entry }) };
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Whether the run that created it has definitely ended. */
export async function isLeftBehind({ entry, touched }: RunningFile): Promise<boolean> {
  const silence = Date.now() - touched.getTime();
  if (entry === undefined) return silence > WRITING_MS;
  return silence > SILENCE_MS || (await hasEnded(entry));
}

/**
 * Removes what a run left behind. If two runs do so at once, the second may move the new file of the first: then it is
 * moved back.
 */
export async function removeRunningFile(file: string, { text }: RunningFile): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return;
    throw error;
  }
  const moved = await readFile(aside, "utf8");
  const entry = parse(moved);
  if (moved !== text && entry !== undefined) await makeRunningFile(file, entry);
  await rm(aside, { force: true });
}

function parse(text: string): RunningEntry | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is RunningEntry {
  return (
    typeof value === "object" &&
    value !== null &&
    "pid" in value &&
    Number.isSafeInteger(value.pid) &&
    "host" in value &&
    typeof value.host === "string" &&
    "token" in value &&
    typeof value.token === "string" &&
    "since" in value &&
    typeof value.since === "string" &&
    !Number.isNaN(Date.parse(value.since))
  );
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
