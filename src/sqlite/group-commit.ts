import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./driver.js";
import type { Flush } from "./flush.js";
import type { FileLock } from "./lock.js";
import { rollBack, transaction } from "./transaction.js";

interface Waiting {
  /** Runs the change; returns the function that reports the result to the caller once everything is on disk. */
  carryOut(): () => void;
  fail(error: unknown): void;
}

/**
 * Runs concurrent changes as one transaction, because the commit takes most of the time of a small change. Each change
 * is still independent: one that throws leaves nothing behind, and the others are kept.
 */
export class GroupCommit {
  readonly #database;
  readonly #flush;
  readonly #lock;
  #waiting: Waiting[] = [];
  #running = false;

  /** @param lock The lock of a file that other processes also write. */
  constructor(database: Database, flush: Flush, lock?: FileLock) {
    this.#database = database;
    this.#lock = lock;
    this.#flush = flush;
  }

  /** Resolves with the result of the change when it is on disk. The change must be synchronous. */
  write<Result>(change: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      const carryOut = () => {
        const outcome = this.#asOne(change);
        return () => ("error" in outcome ? reject(outcome.error) : resolve(outcome.result));
      };
      this.#waiting.push({ carryOut, fail: reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // A group has the changes of one turn; later groups also have those that came during the flush.
      await nextTurn();
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const tell = this.#lock ? await this.#lock.write(() => this.#commit(group)) : this.#commit(group);
        await this.#flush.flushed();
        for (const each of tell) each();
      } catch (error) {
        for (const each of group) each.fail(error);
      }
    }
    this.#running = false;
  }

  #commit(group: readonly Waiting[]): (() => void)[] {
    return transaction(this.#database, () => group.map((each) => each.carryOut()));
  }

  /** Keeps the whole change or, if it throws, none of it. */
  #asOne<Result>(change: () => Result): { readonly result: Result } | { readonly error: unknown } {
    this.#database.exec("SAVEPOINT change");
    try {
      const result = change();
      this.#database.exec("RELEASE change");
      return { result };
    } catch (error) {
      if (!rollBack(this.#database, "TO change; RELEASE change")) throw error;
      return { error };
    }
  }
}
