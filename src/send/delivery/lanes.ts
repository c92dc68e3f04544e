import type { Traveller } from "./traveller.js";

interface Waiting {
  readonly traveller: Traveller;
  readonly isOpen: () => boolean;
  go(free: (() => void) | undefined): void;
}

/**
 * Limits concurrent requests. The first one runs alone, and each answer allows one more: when an outage begins, few are
 * affected.
 */
export class Lanes {
  readonly #max: number;
  #width = 1;
  #alone = false;
  #used = 0;
  #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#max = Math.max(1, Math.floor(most));
  }

  get used(): number {
    return this.#used;
  }

  /**
   * Waits for a free lane: first come, first served, urgent ones before others.
   *
   * @returns A function that frees the lane; undefined if `isOpen` returns false before one was free.
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

  /** A request succeeded: allow one more. */
  widen(): void {
    this.#width = Math.min(this.#width + 1, 4 * this.#max);
    this.#alone = false;
  }

  /** A request failed: allow one at a time. */
  narrow(): void {
    this.#width = 1;
    this.#alone = true;
  }

  /** Starts every waiting traveller that may go. */
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

  /** An urgent message does not wait for the answer to another. */
  #room({ patient, priority }: Traveller): number {
    if (this.#alone) return 1;
    return Math.min(this.#width, patient ? this.#max : 4 * this.#max) + (priority === "high" ? 1 : 0);
  }
}
