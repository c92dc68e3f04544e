import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "./driver.js";
import type { Flush } from "./flush.js";
import type { Lock } from "./lock.js";
import { rollBack } from "./transaction.js";

interface Waiting {
  /** Runs the change, and gives what tells its caller of the result once all is kept. */
  carryOut(): () => void;
  fail(error: unknown): void;
}

/**
 * Runs changes that come at the same time as one transaction: what takes long about a small one is keeping it, not the
 * change. Each is for itself nevertheless: one that throws leaves nothing behind, and the others stay.
 */
export class GroupCommit {
  readonly #database;
  readonly #flush;
  readonly #lock;
  #waiting: Waiting[] = [];
  #running = false;

  /** @param lock Of a file that others write, too. */
  constructor(database: Database, flush: Flush, lock?: Lock) {
    this.#database = database;
    this.#lock = lock;
    this.#flush = flush;
  }

  /** Resolves, with what the change gave, when it is on the disk. The change must not wait for anything. */
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
      // Those that come in the same turn, and, from the second time on, those that came during the flush.
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
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const tell = group.map((each) => each.carryOut());
      this.#database.exec("COMMIT");
      return tell;
    } catch (error) {
      rollBack(this.#database);
      throw error;
    }
  }

  /** Keeps all of a change or, where it throws, nothing. */
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
