import { type Backoff, backoff } from "../api/calls/timing.js";
import type { Clock } from "../send/clock.js";
import type { Attempt } from "../send/delivery/transport.js";

/** Between refusals for now. */
const PAUSE: Backoff = { firstMs: 1_000, longestMs: 60_000 };
/** After several unknown outcomes in a row. */
const RISK: Backoff = { firstMs: 30_000, longestMs: 30 * 60_000 };

/** Counts failures in a row, which decide how long to wait. */
export class Outages {
  #refusals = 0;
  #unknowns = 0;
  #unknownAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Pick<Clock, "now">) {}

  note({ outcome }: Attempt): void {
    if (outcome === "held") this.#refusals += 1;
    if (outcome === "unknown") {
      this.#unknowns += 1;
      this.#unknownAt = this.clock.now();
    }
    if (outcome === "accepted" || outcome === "rejected") {
      this.#refusals = 0;
      this.#unknowns = 0;
    }
  }

  /** How long to wait if the server refuses once more for now, in ms. */
  get pauseMs(): number {
    return backoff(this.#refusals + 1, PAUSE);
  }

  /**
   * Whether the next message may be sent although the outcomes of previous ones are unknown. Nothing harmless shows
   * that a server accepts messages again, so after the first one in a row, it takes longer each time.
   */
  get mayRisk(): boolean {
    if (this.#unknowns < 2) return true;
    return this.clock.now() >= this.#unknownAt + backoff(this.#unknowns - 1, RISK);
  }
}
