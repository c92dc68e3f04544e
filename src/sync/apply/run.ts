import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { StoredTemplate } from "../../api/contract/v4/templates.js";
import type { OnSyncEvent } from "../events.js";
import { beforeFolder, JOURNAL, makeFolder, makeRunFolder, templateFile, writeDurably } from "./run-files.js";
import { type Begun, type OperationEnd, Journal } from "./journal.js";
import { type RunLockOptions, takeRunLock } from "./run-lock.js";

/** A sync of one environment, from before it reads the service until everything is recorded. */
export interface Run {
  /**
   * Records that an operation begins. Must be called before its first write.
   *
   * @throws RunLostError if another run has started meanwhile.
   */
  begin(operation: Begun): Promise<void>;
  end(operation: OperationEnd): Promise<void>;
  /** Saves the service's current template before it is overwritten or deleted. */
  save(template: StoredTemplate): Promise<void>;
  /** The token of the lease that an earlier run from this folder left behind when it was killed. */
  leftLease(): Promise<string | undefined>;
  /** Records the token of the lease that this run takes; undefined once it has none. */
  noteLease(token: string | undefined): Promise<void>;
  /** The folder with the saved templates; undefined if there are none. */
  readonly backups: string | undefined;
  /** Records that what was applied is in the lock file, so that later runs need not learn it from the journal. */
  settled(): Promise<void>;
  /** Allows other runs to start. */
  close(): Promise<void>;
}

export interface RunOptions extends Pick<RunLockOptions, "wait" | "signal"> {
  /** The environment's folder: `.lettershop/sync/<environment>/`. */
  readonly folder: string;
  /** Identifies the service and domain. */
  readonly target: string;
  readonly onEvent?: OnSyncEvent;
}

/**
 * Starts a run, which no other run on this machine may overlap.
 *
 * The folder contains `running.json`, which exists while the run lasts, and `lease`, which remains if a run was killed
 * while it had the lease. For the newest fifty runs, it also contains `runs/<time>/journal.jsonl`, with a line before
 * and after each operation, and `runs/<time>/before/<name>.json`, each template as it was before it was overwritten or
 * deleted. All of this is on disk before the corresponding write is sent.
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
 * @throws RunHeldError if another run is in progress and `wait` is false; the signal's reason when it aborts the wait.
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
      // Without this line, later runs also read the journal for what they know from the lock.
      await (await opening)?.journal.append({ settled: true }).catch(() => undefined);
    },
    async close() {
      await opening?.then(({ journal }) => journal.close()).catch(() => undefined);
      await lock.release().catch(() => undefined);
    },
  };
}

/** If one name is overwritten twice, both states are kept: the later one in a subfolder. */
async function keepTemplate(folder: string, template: StoredTemplate, turn = 2): Promise<void> {
  await makeFolder(folder);
  const file = path.join(folder, templateFile(template.name));
  if (existsSync(file)) await keepTemplate(path.join(folder, String(turn)), template, turn + 1);
  else await writeDurably(file, `${JSON.stringify(template, undefined, 2)}\n`);
}
