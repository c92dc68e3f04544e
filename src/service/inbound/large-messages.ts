/** Messages up to this size, in bytes, need no place. */
export const SMALL_BYTES = 256 * 1024;

/** Maximum number of large messages that are in memory at once: for a moment, there are several copies of each. */
const LARGE_MAX = 4;

export function isLarge(bytes: number): boolean {
  return bytes > SMALL_BYTES;
}

/** Lets a few large messages into memory at once, in order. The others wait, and so do their clients. */
export class LargeMessages {
  #free = LARGE_MAX;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a place. Returns a function that gives it back. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
