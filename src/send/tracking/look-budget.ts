import { REQUESTS_PER_MINUTE } from "../../api/limits.js";
import { type Clock, sleep } from "../clock.js";
import { type CallError, ContractError, ServiceError, TimeoutError, UnreachableError } from "../../api/errors.js";

const MINUTE_MS = 60_000;

/**
 * Limits how often waiting calls may read the delivery log: to half of the service's rate limit, so that the other half
 * is left for explicit calls.
 */
export class LookBudget {
  #looks: number[] = [];
  #max: number = REQUESTS_PER_MINUTE.free / 2;

  constructor(private readonly clock: Clock) {}

  /** Sets the log endpoints' limit, from an answer. */
  learn(limit: number): void {
    this.#max = Math.max(1, Math.floor(limit / 2));
  }

  /** Uses up a look if one is available now. */
  take(): boolean {
    const now = this.clock.now();
    this.#looks = this.#looks.filter((at) => now - at < MINUTE_MS);
    if (this.#looks.length >= this.#max) return false;
    this.#looks.push(now);
    return true;
  }

  /** @throws The signal's reason, when it is aborted. */
  async wait(signal: AbortSignal): Promise<void> {
    while (!this.take()) {
      const [oldest = 0] = this.#looks;
      await sleep(this.clock, Math.max(1, oldest + MINUTE_MS - this.clock.now()), signal);
    }
  }
}

/** Whether reading the log may succeed a little later. */
export function isPassing(error: unknown): error is CallError {
  if (error instanceof ServiceError) return error.status === 429 || error.status >= 500;
  return error instanceof UnreachableError || error instanceof TimeoutError || error instanceof ContractError;
}
