import { REQUESTS_PER_MINUTE } from "../../api/limits.js";
import { type Clock, sleep } from "../clock.js";
import type { DeliveryLog, LoggedMail } from "../delivery/delivery-log.js";
import type { RecentSends } from "../parcel.js";
import type { OutboxStore } from "../store/outbox.js";
import { type CallError, ContractError, ServiceError, TimeoutError, UnreachableError } from "../../api/errors.js";

/** What looking for messages in the delivery log and the outbox needs. */
export interface TrackingContext {
  readonly log: DeliveryLog;
  readonly clock: Clock;
  readonly recent: RecentSends;
  readonly budget: LookBudget;
  /** Ends all waiting. */
  readonly closing: AbortSignal;
  /** Maximum time until an entry appears in the log, in ms. */
  readonly logDelayMs: number;
  /** Milliseconds since 1970 on the service's clock, as far as its answers have shown. */
  readonly serviceTime: () => number;
  /** The outbox, if there is one, restricted to this mailer's service. */
  readonly outbox: () => Promise<{ readonly store: OutboxStore; readonly target: string } | undefined>;
  /** Whether an address only serves to identify our messages. */
  readonly isCorrelation: ((email: string) => boolean) | undefined;
  /** Called with all entries that were read. */
  readonly note: (mails: readonly LoggedMail[]) => Promise<void>;
}

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
