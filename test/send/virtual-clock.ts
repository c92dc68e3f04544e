import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../../src/send/clock.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** Time that only passes on request, timer by timer. */
export class VirtualClock implements Clock {
  #now = 0;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  /** Starts on 15 January 2027 at 08:00 UTC. */
  time(): number {
    return 1_800_000_000_000 + this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How many timers are pending. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Moves to the next timer, but not beyond this time. */
  step(end = Number.POSITIVE_INFINITY): boolean {
    const [next] = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
    if (next === undefined) {
      if (end !== Number.POSITIVE_INFINITY) this.#now = Math.max(this.#now, end);
      return false;
    }
    this.#now = Math.max(this.#now, next.at);
    this.#timers = this.#timers.filter((timer) => timer !== next);
    next.callback();
    return true;
  }

  /** Lets time pass; code that waited for it has run when this resolves. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    do await this.settle();
    while (this.step(end));
  }

  /** Runs promises that are ready, and their continuations. */
  protected async settle(): Promise<void> {
    await turn();
  }
}
