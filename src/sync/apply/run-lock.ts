import { randomUUID } from "node:crypto";
import { rm, utimes } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LettershopError } from "../../errors.js";
import { makeFolder } from "./durable.js";
import { ownIdentity, type ProcessIdentity } from "./process-identity.js";
import {
  isLeftBehind,
  makeRunningFile,
  readRunningFile,
  removeRunningFile,
  type RunningEntry,
} from "./running-file.js";

const FILE = "running.json";
/** How often a live run touches its file. */
const BEAT_MS = 5_000;
/** How often a waiting run checks whether its turn has come. */
const LOOK_MS = 250;

/** A run in progress. */
export interface Holder extends Pick<ProcessIdentity, "pid" | "host"> {
  readonly since: Date;
}

/** Another run is working on the same environment. */
export class RunHeldError extends LettershopError {
  override readonly name = "RunHeldError";
  readonly code = "run_held";

  constructor(readonly holder: Holder) {
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
  readonly onHeld?: (holder: Holder) => void;
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

function holderOf({ pid, host, since }: RunningEntry): Holder {
  return { pid, host, since: new Date(since) };
}
