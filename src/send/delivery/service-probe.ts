import { type Backoff, backoff } from "../../api/calls/policy.js";
import { type Clock, sleep } from "../clock.js";

/** How much of the service answers: sending itself; the log, which is close to sending; or only another endpoint. */
export type SignOfLife = "none" | "account" | "log" | "sending";

const PAUSE: Backoff = { firstMs: 1000, longestMs: 30_000 };

/**
 * Sends the service harmless requests at growing intervals until it answers, to learn that an outage is over without
 * risking a message.
 */
export class OutageProbe {
  #asking: AbortController | undefined;
  #requests = 0;
  /** When the next request is made, by `clock.now()`. */
  nextAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly ask: (signal: AbortSignal) => Promise<SignOfLife>,
    /** Called with the result of each request. */
    private readonly onSign: (sign: SignOfLife) => void,
  ) {}

  /** Does nothing if it is running already. */
  start(): void {
    if (this.#asking !== undefined) return;
    this.#asking = new AbortController();
    void this.#run(this.#asking.signal);
  }

  /** Nobody is waiting for the answer now. `nextAt` stays unchanged. */
  stop(): void {
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** The service has answered this or another request. */
  reset(): void {
    this.stop();
    this.#requests = 0;
    this.nextAt = 0;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock } = this;
    const aborted = () => signal.aborted;
    while (!aborted()) {
      await sleep(clock, Math.max(0, this.nextAt - clock.now()), signal).catch(() => undefined);
      if (aborted()) return;
      const sign = await this.ask(signal);
      if (aborted()) return;
      this.#requests += 1;
      this.nextAt = clock.now() + backoff(this.#requests, PAUSE);
      this.onSign(sign);
    }
  }
}
