import { setTimeout as sleep } from "node:timers/promises";
import type { FileDatabase } from "./driver.js";

/** A file that other processes also write. */
export interface SharedDatabase extends FileDatabase {
  readonly lock: FileLock;
}

/** Milliseconds between two tries, randomized so that waiting processes don't all retry at once. */
const AGAIN_AFTER_MS = { least: 2, most: 25 };

/**
 * Runs steps on a file whose lock another process may hold. SQLite's own waiting would block the whole process; here
 * everything else continues.
 */
export class FileLock {
  /** Undefined if nothing in this process is waiting. */
  #last: Promise<void> | undefined;

  /**
   * @param timeoutMs How long a step waits for the lock.
   * @param check Runs before each step, and throws if the file must no longer be used.
   */
  constructor(
    private readonly timeoutMs: number,
    private readonly check = nothing,
  ) {}

  /**
   * Runs a step that writes: at once if the file is free, otherwise in turn. If the file is locked, the step must
   * change nothing, as is the case for a transaction that begins with `BEGIN IMMEDIATE` and for a single statement.
   *
   * @throws What the step throws, or `database is locked` when the timeout is over.
   */
  async write<Result>(step: () => Result): Promise<Result> {
    const until = performance.now() + this.timeoutMs;
    const checked = this.#checked(step);
    if (this.#last === undefined) {
      const tried = attempt(checked);
      if (tried !== HELD) return tried.result;
    }
    // Later steps must not overtake earlier ones: a ticket must exist before it is returned.
    const turn = (this.#last ?? Promise.resolve()).then(() => patiently(checked, until));
    const settled = turn.then(nothing, nothing);
    this.#last = settled;
    try {
      return await turn;
    } finally {
      if (this.#last === settled) this.#last = undefined;
    }
  }

  /** Runs a step that reads. Writers don't block it, but a file that is being recovered does. */
  async read<Result>(step: () => Result): Promise<Result> {
    return patiently(this.#checked(step), performance.now() + this.timeoutMs);
  }

  #checked<Result>(step: () => Result): () => Result {
    return () => {
      this.check();
      return step();
    };
  }
}

const HELD = Symbol("held");

async function patiently<Result>(step: () => Result, until: number): Promise<Result> {
  for (;;) {
    if (performance.now() >= until) return step();
    const tried = attempt(step);
    if (tried !== HELD) return tried.result;
    await sleep(AGAIN_AFTER_MS.least + Math.random() * (AGAIN_AFTER_MS.most - AGAIN_AFTER_MS.least));
  }
}

function attempt<Result>(step: () => Result): { readonly result: Result } | typeof HELD {
  try {
    return { result: step() };
  } catch (error) {
    if (isHeld(error)) return HELD;
    throw error;
  }
}

/** Both drivers report this with SQLite's own message; a store's error has it as its cause. */
function isHeld(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === "database is locked" || isHeld(error.cause);
}

function nothing(): void {
  // The step's caller handles its failure; by default, a file may always be used.
}
