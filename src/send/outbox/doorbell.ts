import type { Clock } from "../clock.js";

/** Wakes a waiting loop. A ring while nothing waits is not lost. */
export class Doorbell {
  readonly #clock;
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits for a ring, at most this many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = this.#clock.after(milliseconds, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
      this.#wake = undefined;
    }
    this.#rung = false;
  }
}
