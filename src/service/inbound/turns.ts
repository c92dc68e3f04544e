/** Runs tasks with the same key one after the other, and those with different keys at once. */
export class Turns<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  /** Runs a task after the earlier ones with its key, whether they succeed or fail. */
  async take<Result>(key: Key, task: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(task);
    const end = turn.catch(() => undefined);
    this.#last.set(key, end);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === end) this.#last.delete(key);
    }
  }
}
