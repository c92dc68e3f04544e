/** Parcels of this process that are under way: who waits for one of them is told at once when it is decided. */
export class Twins {
  readonly #underWay = new Map<string, PromiseWithResolvers>();

  /** @returns What says that it is decided. */
  enter(id: string): () => void {
    const { promise, resolve } = this.#underWay.get(id) ?? withResolvers();
    this.#underWay.set(id, { promise, resolve });
    return () => {
      this.#underWay.delete(id);
      resolve();
    };
  }

  /** Undefined where it is another process's. */
  decided(id: string): Promise<void> | undefined {
    return this.#underWay.get(id)?.promise;
  }
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function withResolvers(): PromiseWithResolvers {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
