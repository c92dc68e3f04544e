import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { errorCode, LettershopError } from "../../errors.js";
import { attempt } from "../../files.js";
import { makeFolder } from "./run-files.js";
import { hostname } from "node:os";

const FILE = "running.json";
/** How often a live run touches its file. */
const BEAT_MS = 5_000;
/** How often a waiting run checks whether its turn has come. */
const LOOK_MS = 250;

/** Identifies a process, so that a later one with the same number is not mistaken for it. */
const processSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** When the process started, in a system-specific format; absent if the system does not tell. */
  born: z.string().optional(),
});

type ProcessIdentity = Readonly<z.infer<typeof processSchema>>;

/** A run in progress. */
export interface LockHolder extends Pick<ProcessIdentity, "pid" | "host"> {
  readonly since: Date;
}

/** Another run is working on the same environment. */
export class RunHeldError extends LettershopError {
  override readonly name = "RunHeldError";
  readonly code = "run_held";

  constructor(readonly holder: LockHolder) {
    const { pid, host, since } = holder;
    super(
      `Another sync of this environment is running, and nothing was applied: process ${pid} on ${host}, since ${since.toISOString()}.`,
      { hint: "Add --wait to start when it has finished." },
    );
  }
}

/** This run counted as dead, for example after the machine slept, and another one has started. */
export class RunLostError extends LettershopError {
  override readonly name = "RunLostError";
  readonly code = "run_lost";

  constructor() {
    super("Another sync of this environment has started meanwhile, so this one stopped.", { hint: "Run it again." });
  }
}

export interface RunLock {
  /** @throws RunLostError if another run has the lock by now. */
  verify(): Promise<void>;
  release(): Promise<void>;
}

export interface RunLockOptions {
  /** Whether to wait for the other run's end. Default false. */
  readonly wait?: boolean;
  readonly signal?: AbortSignal;
  /** Called once with the run that it waits for. */
  readonly onHeld?: (holder: LockHolder) => void;
}

/**
 * Locks an environment's folder for this run. A lock of a process that has ended is taken over.
 *
 * @throws RunHeldError; with `wait`, the signal's reason when it aborts.
 */
export async function takeRunLock(
  folder: string,
  { wait = false, signal, onHeld }: RunLockOptions = {},
): Promise<RunLock> {
  const file = path.join(folder, FILE);
  await makeFolder(folder);
  const own: RunningEntry = { ...(await ownIdentity()), since: new Date().toISOString(), token: randomUUID() };
  let isReported = false;
  while (!(await makeRunningFile(file, own))) {
    signal?.throwIfAborted();
    const running = await readRunningFile(file);
    if (running === undefined) continue;
    if (await isLeftBehind(running)) {
      await removeRunningFile(file, running);
      continue;
    }
    if (running.entry !== undefined && !isReported) {
      const holder = holderOf(running.entry);
      if (!wait) throw new RunHeldError(holder);
      onHeld?.(holder);
      isReported = true;
    }
    await sleep(LOOK_MS, undefined, { signal });
  }
  return keep(file, own.token);
}

function keep(file: string, token: string): RunLock {
  const isOwn = async () => (await readRunningFile(file))?.entry?.token === token;
  const touch = async () => {
    const now = new Date();
    if (await isOwn()) await utimes(file, now, now);
  };
  // An error here shows when the lock is verified.
  const beat = setInterval(() => void touch().catch(() => undefined), BEAT_MS);
  beat.unref();
  return {
    async verify() {
      if (await isOwn()) return;
      // A run that takes it by mistake puts it back at once.
      await sleep(LOOK_MS);
      if (!(await isOwn())) throw new RunLostError();
    },
    async release() {
      clearInterval(beat);
      if (await isOwn().catch(() => false)) await rm(file, { force: true });
    },
  };
}

function holderOf({ pid, host, since }: RunningEntry): LockHolder {
  return { pid, host, since: new Date(since) };
}

/** The content of a run's `running.json`. */
const entrySchema = processSchema.extend({
  /** ISO 8601. */
  since: z.string().refine((time) => !Number.isNaN(Date.parse(time))),
  /** Distinguishes runs of one process. */
  token: z.string(),
});

type RunningEntry = Readonly<z.infer<typeof entrySchema>>;

/** Undefined for anything else, such as a file that is being written. */
function parse(text: string): RunningEntry | undefined {
  return entrySchema.safeParse(attempt(() => JSON.parse(text))).data;
}

interface RunningFile {
  /** Undefined while it is being written, or if that was interrupted. */
  readonly entry: RunningEntry | undefined;
  readonly text: string;
  readonly touched: Date;
}

/** A file that was not touched for this long belongs to a run that has ended, whatever process has its number now. */
const SILENCE_MS = 30_000;
/** Maximum time for writing it. */
const WRITING_MS = 2_000;

/** Returns false if there is one already. */
async function makeRunningFile(file: string, entry: RunningEntry): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(entry), { flag: "wx" });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function readRunningFile(file: string): Promise<RunningFile | undefined> {
  try {
    const [text, { mtime: touched }] = await Promise.all([readFile(file, "utf8"), stat(file)]);
    return { text, touched, entry: parse(text) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Whether the run that created it has definitely ended. */
async function isLeftBehind({ entry, touched }: RunningFile): Promise<boolean> {
  const silence = Date.now() - touched.getTime();
  if (entry === undefined) return silence > WRITING_MS;
  return silence > SILENCE_MS || (await hasEnded(entry));
}

/**
 * Removes what a run left behind. If two runs do so at once, the second may move the new file of the first: then it is
 * moved back.
 */
async function removeRunningFile(file: string, { text }: RunningFile): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const moved = await readFile(aside, "utf8");
  const entry = parse(moved);
  if (moved !== text && entry !== undefined) await makeRunningFile(file, entry);
  await rm(aside, { force: true });
}

async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  return { pid, host: hostname(), born: await birthOf(pid) };
}

/** Whether a process has definitely ended. This is never known for another machine's process. */
async function hasEnded({ pid, host, born }: ProcessIdentity): Promise<boolean> {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // The process may also belong to another user.
    return errorCode(error) === "ESRCH";
  }
  return born !== undefined && born !== (await birthOf(pid));
}

/**
 * On Linux: the boot id and the 22nd field of the process's state, counted after its name, which may contain spaces.
 */
async function birthOf(pid: number): Promise<string | undefined> {
  if (process.platform !== "linux") return undefined;
  try {
    const [boot, state] = await Promise.all([
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
      readFile(`/proc/${pid}/stat`, "utf8"),
    ]);
    const started = state.slice(state.lastIndexOf(")") + 2).split(" ")[19];
    return started === undefined ? undefined : `${boot.trim()} ${started}`;
  } catch {
    return undefined;
  }
}
