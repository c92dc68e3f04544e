import { type Clock, sleep } from "../clock.js";

/** What of a service answers: sending itself; what is next to it, the log; or only something else. */
export type SignOfLife = "none" | "account" | "log" | "sending";

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Asks the service for something that changes nothing, at growing intervals, until it answers well: so that one learns that
 * an outage is over without risking a mail.
 */
export class Asking {
  #asking: AbortController | undefined;
  #pause = 0;
  /** When the service is asked next, by `clock.now()`. */
  nextAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly ask: (signal: AbortSignal) => Promise<SignOfLife>,
    /** Told what came of each time. */
    private readonly told: (sign: SignOfLife) => void,
  ) {}

  /** Where it asks already, nothing changes. */
  start(): void {
    if (this.#asking !== undefined) return;
    this.#asking = new AbortController();
    void this.#run(this.#asking.signal);
  }

  /** Nobody waits for the answer any more. When it is next asked stays as it is. */
  stop(): void {
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** It has answered, this or something else. */
  reset(): void {
    this.stop();
    this.#pause = 0;
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
      this.#pause = Math.min(Math.max(FIRST_PAUSE_MS, 2 * this.#pause), LONGEST_PAUSE_MS);
      this.nextAt = clock.now() + this.#pause;
      this.told(sign);
    }
  }
}
