import type { Traveller } from "./traveller.js";

interface Waiting {
  readonly traveller: Traveller;
  readonly isOpen: () => boolean;
  go(free: (() => void) | undefined): void;
}

/**
 * How many requests are under way at once. The first goes alone, and each answer lets one more go beside the others: where
 * an outage begins, few are caught by it.
 */
export class Lanes {
  readonly #most: number;
  #width = 1;
  #alone = false;
  #used = 0;
  #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#most = Math.max(1, Math.floor(most));
  }

  get used(): number {
    return this.#used;
  }

  /**
   * Waits for a free lane, first come, first served, those in a hurry before the others.
   *
   * @returns What frees it again; undefined where `isOpen` says no before there was one.
   * @throws The signal's reason, when it is aborted.
   */
  enter(traveller: Traveller, isOpen: () => boolean): (() => void) | undefined | Promise<(() => void) | undefined> {
    const { signal } = traveller;
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#used < this.#room(traveller)) return isOpen() ? this.#take() : undefined;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        traveller,
        isOpen,
        go: (free) => {
          signal.removeEventListener("abort", abort);
          resolve(free);
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      if (traveller.priority === "high") this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.serve();
    });
  }

  /** All went well: one more. */
  widen(): void {
    this.#width = Math.min(this.#width + 1, 4 * this.#most);
    this.#alone = false;
  }

  /** Something failed: one at a time. */
  narrow(): void {
    this.#width = 1;
    this.#alone = true;
  }

  /** Lets go whoever may. */
  serve(): void {
    for (const waiting of this.#waiting) {
      const open = waiting.isOpen();
      if (open && this.#used >= this.#room(waiting.traveller)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      waiting.go(open ? this.#take() : undefined);
    }
  }

  #take(): () => void {
    this.#used += 1;
    return () => {
      this.#used -= 1;
      this.serve();
    };
  }

  /** One in a hurry does not wait for the answer of another. */
  #room({ patient, priority }: Traveller): number {
    if (this.#alone) return 1;
    return Math.min(this.#width, patient ? this.#most : 4 * this.#most) + (priority === "high" ? 1 : 0);
  }
}
