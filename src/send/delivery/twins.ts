/** Parcels in progress in this process: others waiting for one of them are notified as soon as it is decided. */
export class Twins {
  readonly #underWay = new Map<string, (() => void)[]>();

  /** @returns A function that marks it as decided. */
  enter(id: string): () => void {
    const waiting = this.#underWay.get(id) ?? [];
    this.#underWay.set(id, waiting);
    return () => {
      this.#underWay.delete(id);
      for (const decided of waiting) decided();
    };
  }

  /** Undefined if it belongs to another process. */
  decided(id: string): Promise<void> | undefined {
    const waiting = this.#underWay.get(id);
    return waiting && new Promise((resolve) => void waiting.push(resolve));
  }
}
