import { setImmediate as nextTurn } from "node:timers/promises";
import type { Flush } from "./flush.js";
import type { FileLock } from "./lock.js";
import type { Database } from "./driver.js";

/** Runs the changes as one: all are kept or, if one throws, none. */
export function transaction<Result>(database: Database, change: () => Result): Result {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = change();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** Reads everything as of one moment. Writes nothing, so it works on a full disk and while another process writes. */
export function snapshot<Result>(database: Database, read: () => Result): Result {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    rollBack(database);
  }
}

/** Returns false if there is nothing left to roll back: SQLite rolls back by itself when the disk is full or fails. */
function rollBack(database: Database, to = ""): boolean {
  try {
    database.exec(`ROLLBACK ${to}`);
    return true;
  } catch {
    return false;
  }
}

interface Waiting {
  /**
   * Runs the change; returns the function that reports the result to the caller once everything is on disk. Alone in its
   * transaction, it throws what the change throws.
   */
  carryOut(isAlone: boolean): () => void;
  fail(error: unknown): void;
}

/**
 * Runs concurrent changes as one transaction, because the commit takes most of the time of a small change. Each change
 * is still independent: one that throws leaves nothing behind, and the others are kept.
 */
export class GroupCommit {
  #waiting: Waiting[] = [];
  #running = false;

  /** @param options `flush`: for a file that is not flushed with every commit. `lock`: for one that others also write. */
  constructor(
    private readonly database: Database,
    private readonly options: { readonly flush?: Flush | undefined; readonly lock?: FileLock },
  ) {}

  /** Resolves with the result of the change when it is on disk. The change must be synchronous. */
  write<Result>(change: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const carryOut = (isAlone: boolean) => {
        const outcome = isAlone ? { result: change() } : this.#asOne(change);
        return () => ("error" in outcome ? reject(outcome.error) : resolve(outcome.result));
      };
      this.#waiting.push({ carryOut, fail: reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    const { flush, lock } = this.options;
    this.#running = true;
    while (this.#waiting.length > 0) {
      // A group has the changes of one turn; later groups also have those that came during the flush.
      await nextTurn();
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const tell = lock ? await lock.write(() => this.#commit(group)) : this.#commit(group);
        await flush?.flushed();
        for (const each of tell) each();
      } catch (error) {
        for (const each of group) each.fail(error);
      }
    }
    this.#running = false;
  }

  #commit(group: readonly Waiting[]): (() => void)[] {
    return transaction(this.database, () => group.map((each) => each.carryOut(group.length === 1)));
  }

  /** Keeps the whole change or, if it throws, none of it. */
  #asOne<Result>(change: () => Result): { readonly result: Result } | { readonly error: unknown } {
    this.database.exec("SAVEPOINT change");
    try {
      const result = change();
      this.database.exec("RELEASE change");
      return { result };
    } catch (error) {
      if (!rollBack(this.database, "TO change; RELEASE change")) throw error;
      return { error };
    }
  }
}
