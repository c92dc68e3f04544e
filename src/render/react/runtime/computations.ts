import type { Computation } from "./expression.js";
import type { Loop } from "./symbolic.js";

/** Whether a name is the key of a computation's result. */
export function isKey(name: string | undefined): boolean {
  return name?.startsWith(KEY) === true;
}

const KEY = "__computed";

let renderings = 0;

/** Begins a compilation with the same sequence of keys each time. */
export function restartKeys(): void {
  renderings = 0;
}

/** The computations of a rendering. */
export class Computed {
  /** The number of operations, duplicates included. */
  count = 0;
  last: Computation | undefined;
  readonly all = new Map<string, Computation>();
  readonly loops = new Map<number, Loop>();
  /** The nesting depth of functions being recorded. */
  parameters = 0;
  readonly #keys = new Map<string, string>();
  readonly #rendering = (renderings += 1);

  /** Computations whose results were changed afterwards. */
  readonly #changed = new Set<string>();

  /** Records that the result of a computation is changed. */
  change(key: string): void {
    this.#changed.add(key);
  }

  isChanged(key: string): boolean {
    return this.#changed.has(key);
  }

  add(computation: Omit<Computation, "key">): Computation {
    const content = JSON.stringify([computation.site, computation.expression]);
    const key = this.#keys.get(content) ?? `${KEY}_${this.#rendering}_${this.#keys.size + 1}`;
    this.#keys.set(content, key);
    const whole = this.all.get(key) ?? { key, ...computation };
    this.all.set(key, whole);
    this.#changed.delete(key); // The new result has not been changed.
    this.count += 1;
    this.last = whole;
    return whole;
  }
}
