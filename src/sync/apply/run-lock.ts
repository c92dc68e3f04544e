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
/** How often the file of a run that goes on is touched. */
const BEAT_MS = 5_000;
/** How often a run that waits looks whether its turn has come. */
const LOOK_MS = 250;

/** A run that is under way. */
export interface Holder extends Pick<ProcessIdentity, "pid" | "host"> {
  readonly since: Date;
}

/** Another run works on the same environment. */
export class RunHeldError extends LettershopError {
  override readonly name = "RunHeldError";
  readonly code = "run_held";

  constructor(readonly holder: Holder) {
    const { pid, host, since } = holder;
    super(
      `Another sync of this environment is running, and nothing was applied: process ${pid} on ${host}, since ${since.toISOString()}.`,
      { hint: "Add --wait to begin when it has ended." },
    );
  }
}

/** This run was taken for dead, as after a sleep of the machine, and another one has begun. */
export class RunLostError extends LettershopError {
  override readonly name = "RunLostError";
  readonly code = "run_lost";

  constructor() {
    super("Another sync of this environment has begun meanwhile, so this one stopped.", { hint: "Run it again." });
  }
}

export interface RunLock {
  /** @throws RunLostError where it is another's by now. */
  verify(): Promise<void>;
  release(): Promise<void>;
}

export interface RunLockOptions {
  /** Waits for the other run's end. Default false. */
  readonly wait?: boolean;
  readonly signal?: AbortSignal;
  /** Is told once whom it waits for. */
  readonly onHeld?: (holder: Holder) => void;
}

/**
 * Takes an environment's folder for this run. One that was left by a process that has ended is taken over.
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
  let isTold = false;
  while (!(await makeRunningFile(file, own))) {
    signal?.throwIfAborted();
    const found = await readRunningFile(file);
    if (found === undefined) continue;
    if (await isLeftBehind(found)) {
      await removeRunningFile(file, found);
      continue;
    }
    if (found.entry !== undefined && !isTold) {
      const holder = holderOf(found.entry);
      if (!wait) throw new RunHeldError(holder);
      onHeld?.(holder);
      isTold = true;
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
  // What fails here shows when the lock is verified.
  const beat = setInterval(() => void touch().catch(() => undefined), BEAT_MS);
  beat.unref();
  return {
    async verify() {
      if (await isOwn()) return;
      // Whoever takes it by mistake puts it back at once.
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
