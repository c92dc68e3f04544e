import type { Backoff } from "../../api/calls/timing.js";
import type { OutboundEmail } from "../../api/resources/emails.js";
import { type Clock, readDuration } from "../clock.js";
import type { OutboxOptions } from "../options.js";
import type { Courier } from "../delivery/courier.js";
import type { Problem } from "../errors.js";
import type { Publish } from "../events.js";
import type { Priority } from "../parcel.js";
import type { OutboxStore } from "../store/outbox.js";

/** What all parts of an outbox share. */
export interface OutboxContext {
  readonly store: OutboxStore;
  readonly target: string;
  readonly courier: Courier;
  readonly pace: { expectedWait(priority: Priority): number | Promise<number> };
  readonly clock: Clock;
  readonly publish: Publish;
  readonly retention: Retention;
  /** Returns problems of a message that is about to be sent, which it did not have when it was queued. */
  readonly check?: ((email: OutboundEmail) => Promise<readonly Problem[]>) | undefined;
  /** How long a process without a heartbeat counts as alive. */
  readonly leaseMs: number;
  /** Called for problems that don't belong to a message; the work continues. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds between checks for what other processes queued or left behind. */
export const POLL_MS = 1_000;

/** How long to wait for the service or the store to recover. */
export const TROUBLE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 };

/** Wakes a waiting loop. A ring while nothing waits is not lost. */
export class Doorbell {
  #rung = false;
  #wake: (() => void) | undefined;

  constructor(private readonly clock: Clock) {}

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Waits for a ring, at most this many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        const cancel = this.clock.after(milliseconds, resolve);
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

/** Runs a step until closing: again when the bell rings, or after as many milliseconds as the step returns. */
export async function repeatedly(doorbell: Doorbell, closing: AbortSignal, step: () => Promise<number>): Promise<void> {
  const wake = () => doorbell.ring();
  closing.addEventListener("abort", wake);
  while (!closing.aborted) {
    const wait = await step();
    if (wait > 0 && !closing.aborted) await doorbell.wait(wait);
  }
  closing.removeEventListener("abort", wake);
}

/** How long an outbox keeps data, in milliseconds. */
export interface Retention {
  readonly keys: number;
  readonly contents: number;
  readonly undecided: number;
}

/** @throws {ConfigurationError} A value is not a duration. */
export function readRetention({
  keepKeys = "30d",
  keepContents = "1d",
  keepUndecided = "30d",
}: OutboxOptions): Retention {
  return {
    keys: readDuration(keepKeys, "outbox.keepKeys"),
    contents: keepContents === 0 ? 0 : readDuration(keepContents, "outbox.keepContents"),
    undecided: keepUndecided === 0 ? 0 : readDuration(keepUndecided, "outbox.keepUndecided"),
  };
}

const CLEAN_MS = 60_000;

/** Deletes expired data, at most once a minute. */
export function cleaning({ store, target, clock, retention }: OutboxContext): () => Promise<void> {
  /** By `clock.now()`. */
  let cleanAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() < cleanAt) return;
    cleanAt = clock.now() + CLEAN_MS;
    const now = clock.time();
    await store.clean({
      target,
      contentsBefore: now - retention.contents,
      undecidedBefore: now - retention.undecided,
      messagesBefore: now - retention.keys,
    });
  };
}
