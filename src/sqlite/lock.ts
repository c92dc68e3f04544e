import { setTimeout as sleep } from "node:timers/promises";
import type { FileDatabase } from "./driver.js";

/** A file that other processes write, too. */
export interface SharedDatabase extends FileDatabase {
  readonly lock: Lock;
}

/** Milliseconds between two tries: at random, so that those who wait don't come all at once. */
const AGAIN_AFTER_MS = { least: 2, most: 25 };

/**
 * Steps on a file whose lock another process may hold. SQLite itself would wait with the whole process standing still; here
 * everything else goes on meanwhile.
 */
export class Lock {
  /** Undefined where nobody of this process waits. */
  #last: Promise<void> | undefined;

  /**
   * @param timeoutMs How long a step waits for the lock.
   * @param check Runs before each step, and throws where the file must not be used any more.
   */
  constructor(
    private readonly timeoutMs: number,
    private readonly check = nothing,
  ) {}

  /**
   * Runs a step that writes: at once where the file is free, else in its turn. It has to change nothing where it finds the file
   * held, as a transaction does that begins with `BEGIN IMMEDIATE`, and one statement by itself.
   *
   * @throws What the step throws, `database is locked` when its time is over.
   */
  async write<Result>(step: () => Result): Promise<Result> {
    const until = performance.now() + this.timeoutMs;
    const checked = this.#checked(step);
    if (this.#last === undefined) {
      const tried = attempt(checked);
      if (tried !== HELD) return tried.result;
    }
    // What comes later must not overtake: a ticket that is given back has to be there.
    const turn = (this.#last ?? Promise.resolve()).then(() => patiently(checked, until));
    const settled = turn.then(nothing, nothing);
    this.#last = settled;
    try {
      return await turn;
    } finally {
      if (this.#last === settled) this.#last = undefined;
    }
  }

  /** Runs a step that reads. Writers don't keep it from that; a file that is being repaired does. */
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

/** By SQLite's own words, which both drivers give; a store's error has them as its cause. */
function isHeld(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === "database is locked" || isHeld(error.cause);
}

function nothing(): void {
  // A step that failed is its caller's to handle; a file that nothing is said of may be used.
}
