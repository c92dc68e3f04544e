import { access, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import type { OnSyncEvent } from "../events.js";
import { makeFolder, writeDurably } from "./durable.js";
import { type Begun, type Ended, Journal } from "./journal.js";
import { beforeFolder, JOURNAL, makeRunFolder, templateFile } from "./run-folder.js";
import { type RunLockOptions, takeRunLock } from "./run-lock.js";

/** A sync of one environment, from before it reads the service until everything is noted. */
export interface Run {
  /**
   * Notes that an operation begins. No write may leave before that.
   *
   * @throws RunLostError where another run has begun meanwhile.
   */
  begin(operation: Begun): Promise<void>;
  end(operation: Ended): Promise<void>;
  /** Keeps a template as it is on the service before it is overwritten or deleted. */
  save(template: StoredTemplate): Promise<void>;
  /** The token of the lease that an earlier run from this folder left behind when it was killed. */
  leftLease(): Promise<string | undefined>;
  /** Notes the token of the lease that this run takes; undefined once it has none any more. */
  noteLease(token: string | undefined): Promise<void>;
  /** The folder with what was saved; undefined where nothing was. */
  readonly backups: string | undefined;
  /** Notes that what was applied is in the lock file, so that later runs need not know it from here. */
  settled(): Promise<void>;
  /** Lets other runs begin. */
  close(): Promise<void>;
}

export interface RunOptions extends Pick<RunLockOptions, "wait" | "signal"> {
  /** The environment's: `.lettershop/sync/<environment>/`. */
  readonly folder: string;
  /** Names the service and domain. */
  readonly target: string;
  readonly onEvent?: OnSyncEvent;
}

/**
 * Begins a run, which no other one on this machine may overlap.
 *
 * Below the folder it keeps `running.json`, which is there for as long as the run lasts, `lease`, which outlives a run that
 * was killed while it had the lease, and of the newest fifty runs
 * `runs/<time>/journal.jsonl`, with a line before each operation and one after, and `runs/<time>/before/<name>.json`, each
 * template as it was before it was overwritten or deleted. All of it is on the disk before the write that it is about
 * leaves.
 *
 * @example
 * const run = await openRun({ folder, target: environmentKey(environment), wait: flags.wait, signal });
 * try {
 *   const { outcomes } = await applyPlan({ plan, run, … });
 *   await writeLock(…);
 *   await run.settled();
 * } finally {
 *   await run.close();
 * }
 *
 * @throws RunHeldError where another run is under way and `wait` is false; the signal's reason when it aborts the wait.
 */
export async function openRun({ folder, target, onEvent, ...options }: RunOptions): Promise<Run> {
  const started = new Date().toISOString();
  const lock = await takeRunLock(folder, {
    ...options,
    onHeld: (holder) => onEvent?.({ kind: "held", holder }),
  });
  // A run that changes nothing leaves nothing behind.
  let opening: Promise<{ readonly runFolder: string; readonly journal: Journal }> | undefined;
  const open = async () => {
    const runFolder = await makeRunFolder(folder);
    return { runFolder, journal: await Journal.create(path.join(runFolder, JOURNAL), { target, started }) };
  };
  const leaseFile = path.join(folder, "lease");
  let backups: string | undefined;
  return {
    get backups() {
      return backups;
    },
    async begin(operation) {
      await lock.verify();
      await (await (opening ??= open())).journal.append(operation);
    },
    async end(operation) {
      await (await (opening ??= open())).journal.append(operation);
    },
    async save(template) {
      const { runFolder } = await (opening ??= open());
      backups = beforeFolder(runFolder);
      await keepTemplate(backups, template);
    },
    leftLease: () => readFile(leaseFile, "utf8").catch(() => undefined),
    async noteLease(token) {
      if (token === undefined) await rm(leaseFile, { force: true });
      else await writeDurably(leaseFile, token);
    },
    async settled() {
      // Without this line, later runs read here what they know from the lock.
      await (await opening)?.journal.append({ settled: true }).catch(() => undefined);
    },
    async close() {
      await opening?.then(({ journal }) => journal.close()).catch(() => undefined);
      await lock.release().catch(() => undefined);
    },
  };
}

/** Where one name is overwritten twice, both states are kept: the later one in a folder below. */
async function keepTemplate(folder: string, template: StoredTemplate, turn = 2): Promise<void> {
  await makeFolder(folder);
  const file = path.join(folder, templateFile(template.name));
  if (await isThere(file)) await keepTemplate(path.join(folder, String(turn)), template, turn + 1);
  else await writeDurably(file, `${JSON.stringify(template, undefined, 2)}\n`);
}

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
