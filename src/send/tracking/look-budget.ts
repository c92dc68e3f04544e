import { REQUESTS_PER_MINUTE } from "../../api/limits.js";
import { type Clock, sleep } from "../clock.js";

const MINUTE_MS = 60_000;

/**
 * How often all who wait for news may look into the delivery log: half of what the service lets through in a minute, so
 * that the other half is left for whoever looks on purpose.
 */
export class LookBudget {
  readonly #clock;
  #looks: number[] = [];
  #most: number = REQUESTS_PER_MINUTE.free / 2;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The log endpoints' limit, as an answer told it. */
  learn(limit: number): void {
    this.#most = Math.max(1, Math.floor(limit / 2));
  }

  /** Takes a look where one is left now. */
  take(): boolean {
    const now = this.#clock.now();
    this.#looks = this.#looks.filter((at) => now - at < MINUTE_MS);
    if (this.#looks.length >= this.#most) return false;
    this.#looks.push(now);
    return true;
  }

  /** @throws The signal's reason, when it is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    while (!this.take()) {
      const [oldest = 0] = this.#looks;
      await sleep(this.#clock, Math.max(1, oldest + MINUTE_MS - this.#clock.now()), signal);
    }
  }
}
