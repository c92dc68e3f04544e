import { backoff } from "../../api/calls/timing.js";
import type { Priority } from "../parcel.js";
import { carry, type Leases, type QueuePause } from "./carry.js";
import { Doorbell, type OutboxContext, POLL_MS, TROUBLE_BACKOFF } from "./context.js";

/** How soon (ms) a message's turn must come before it is taken: until then, others may go first. */
const SOON_MS = 1_000;
/**
 * How long (ms) the next message waits for the one before to be sent, which may be waiting for something of its own.
 */
const LEAVE_MS = 6_000;

export interface CarrierOptions {
  readonly priority: Priority;
  readonly context: OutboxContext;
  readonly leases: Leases;
  /** Maximum messages in progress at once. */
  readonly concurrency: number;
  readonly closing: AbortSignal;
  /** Called when a message is done. */
  readonly onDone: () => void;
}

/** Takes the messages of one priority when their turn comes, one after the other, and sends them. */
export class Carrier {
  readonly #doorbell;
  readonly #underWay = new Set<Promise<void>>();
  #taking = false;
  #troubles = 0;
  /** By `clock.now()`. */
  #pausedUntil = 0;

  constructor(private readonly options: CarrierOptions) {
    this.#doorbell = new Doorbell(options.context.clock);
  }

  /** There may be something to do. */
  ring(): void {
    this.#doorbell.ring();
  }

  get busy(): boolean {
    return this.#taking || this.#underWay.size > 0;
  }

  /** Works until it is closed and everything in progress is done. */
  async run(): Promise<void> {
    const { closing } = this.options;
    const wake = () => this.ring();
    closing.addEventListener("abort", wake);
    while (!closing.aborted) {
      const wait = await this.#next().catch((error: unknown) => this.#failed(error));
      if (wait > 0 && !closing.aborted) await this.#doorbell.wait(wait);
    }
    closing.removeEventListener("abort", wake);
    await Promise.all(this.#underWay);
  }

  /** Takes a message if it is time; returns the milliseconds until it is worth looking again. */
  async #next(): Promise<number> {
    const { priority, context, concurrency, closing } = this.options;
    const { store, target, pace, clock } = context;
    if (this.#underWay.size >= concurrency) return POLL_MS;
    const paused = this.#pausedUntil - clock.now();
    if (paused > 0) return Math.min(paused, POLL_MS);
    const due = await store.nextDue(target, priority);
    if (due === undefined) return POLL_MS;
    const early = due - clock.time();
    if (early > 0) return Math.min(early, POLL_MS);
    const turn = (await pace.expectedWait(priority)) - SOON_MS;
    if (turn > 0) return Math.min(turn, POLL_MS);
    if (closing.aborted) return 0;

    return this.#take();
  }

  async #take(): Promise<number> {
    const { priority, context, leases, closing, onDone } = this.options;
    const { store, target, clock } = context;
    const left = new Doorbell(clock);
    const lease = leases.next();
    this.#taking = true;
    try {
      const message = await store.take({ target, priority, now: clock.time(), lease });
      // A due message that cannot be taken was just taken by another process, or has expired.
      if (!message) return POLL_MS;
      leases.hold(lease);
      const carried = carry({ message, lease, leases, closing }, context, () => left.ring())
        .then(
          (trouble) => this.#pauseFor(trouble),
          (error: unknown) => void this.#failed(error),
        )
        .finally(() => {
          this.#underWay.delete(carried);
          left.ring();
          this.ring();
          onDone();
        });
      this.#underWay.add(carried);
    } finally {
      this.#taking = false;
    }
    await left.wait(LEAVE_MS);
    return 0;
  }

  #pauseFor(trouble: QueuePause | undefined): void {
    if (trouble === undefined) {
      this.#troubles = 0;
      return;
    }
    this.#troubles += 1;
    const wait = trouble.waitMs ?? backoff(this.#troubles, TROUBLE_BACKOFF);
    this.#pausedUntil = this.options.context.clock.now() + Math.min(wait, TROUBLE_BACKOFF.longestMs);
  }

  /** The messages are safe, and the store may recover, for example when the disk has space again. */
  #failed(error: unknown): number {
    this.options.context.failed(error);
    this.#pauseFor({});
    return POLL_MS;
  }
}
