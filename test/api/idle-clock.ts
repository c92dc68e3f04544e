import { onTestFinished } from "vitest";
import type { TimerClock } from "../../src/api/calls/timing.js";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that jumps to the next pending timer whenever no request has been in progress for a few milliseconds. */
export class IdleClock implements TimerClock {
  #now = 0;
  #timers: Timer[] = [];
  #quiet = 0;

  /** @param onAdvance Called with each jump, so that the service's clock jumps too. */
  constructor(isBusy: () => boolean, onAdvance: (milliseconds: number) => void) {
    const interval = setInterval(() => {
      this.#quiet = isBusy() ? 0 : this.#quiet + 1;
      if (this.#quiet < 4) return;
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) return;
      const jump = Math.max(0, Math.ceil(next.at - this.#now));
      this.#now += jump;
      onAdvance(jump);
      this.#timers = this.#timers.filter((timer) => timer !== next);
      next.callback();
      this.#quiet = 0;
    }, 2);
    onTestFinished(() => clearInterval(interval));
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }
}
