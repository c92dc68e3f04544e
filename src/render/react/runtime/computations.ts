import type { Computation } from "./expression.js";
import type { Loop } from "./symbolic.js";

/** What the members of a computation's result are called, from the computation's key on. */
export function isKey(name: string | undefined): boolean {
  return name?.startsWith(KEY) === true;
}

const KEY = "__computed";

let renderings = 0;

/** Begins a compile, whose renderings have keys of their own: the same ones each time. */
export function restartKeys(): void {
  renderings = 0;
}

/** The operations of a rendering. */
export class Computed {
  /** How many were asked for, those that are the same included. */
  count = 0;
  last: Computation | undefined;
  readonly all = new Map<string, Computation>();
  readonly loops = new Map<number, Loop>();
  /** How many functions are being written down that are in one another. */
  parameters = 0;
  readonly #keys = new Map<string, string>();
  readonly #rendering = (renderings += 1);

  /** Those whose results were changed after they were computed. */
  readonly #changed = new Set<string>();

  /** Notes that the result of a computation is changed. */
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
    this.#changed.delete(key); // it is another result, of which nothing is changed yet
    this.count += 1;
    this.last = whole;
    return whole;
  }
}
