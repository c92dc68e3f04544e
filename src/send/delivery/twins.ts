/** Parcels of this process that are under way: who waits for one of them is told at once when it is decided. */
export class Twins {
  readonly #underWay = new Map<string, (() => void)[]>();

  /** @returns What says that it is decided. */
  enter(id: string): () => void {
    const waiting = this.#underWay.get(id) ?? [];
    this.#underWay.set(id, waiting);
    return () => {
      this.#underWay.delete(id);
      for (const decided of waiting) decided();
    };
  }

  /** Undefined where it is another process's. */
  decided(id: string): Promise<void> | undefined {
    const waiting = this.#underWay.get(id);
    return waiting && new Promise((resolve) => void waiting.push(resolve));
  }
}
