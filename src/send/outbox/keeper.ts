import { factsOf } from "./carry.js";
import { cleaning } from "./cleaning.js";
import { type OutboxContext, POLL_MS } from "./context.js";
import { Doorbell } from "./doorbell.js";
import type { Leases } from "./leases.js";
import { recover } from "./recover.js";

/** How many messages of dead processes are looked up at once. */
const RECOVERING_MAX = 10;

export interface KeeperOptions {
  readonly context: OutboxContext;
  readonly leases: Leases;
  readonly closing: AbortSignal;
  /** Called when messages may have returned to the queue. */
  readonly onDone: () => void;
}

/** Maintains messages that are not being sent: expiry, those of dead processes, and cleaning. */
export class Keeper {
  readonly #options;
  readonly #doorbell;
  readonly #clean;
  readonly #recovering = new Set<Promise<void>>();

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#clean = cleaning(options.context);
    this.#doorbell = new Doorbell(options.context.clock);
  }

  get busy(): boolean {
    return this.#recovering.size > 0;
  }

  async run(): Promise<void> {
    const { closing, context } = this.#options;
    const wake = () => this.#doorbell.ring();
    closing.addEventListener("abort", wake);
    while (!closing.aborted) {
      await this.look().catch(context.failed);
      await this.#doorbell.wait(POLL_MS);
    }
    closing.removeEventListener("abort", wake);
    await Promise.all(this.#recovering);
  }

  /** Runs one round. */
  async look(): Promise<void> {
    await this.#expire();
    await this.#recover();
    await this.#clean();
  }

  async #expire(): Promise<void> {
    const { store, target, clock, publish } = this.#options.context;
    for (;;) {
      const messages = await store.expire(target, clock.time());
      if (messages.length === 0) return;
      for (const message of messages) publish({ type: "expired", ...factsOf(message) });
      this.#options.onDone();
    }
  }

  async #recover(): Promise<void> {
    const { context, leases, closing, onDone } = this.#options;
    while (this.#recovering.size < RECOVERING_MAX && !closing.aborted) {
      const lease = leases.next();
      const message = await context.store.takeAbandoned({ target: context.target, now: context.clock.time(), lease });
      if (!message) return;
      leases.hold(lease);
      const recovered = recover({ message, lease, leases, closing }, context)
        .catch(context.failed)
        .finally(() => {
          this.#recovering.delete(recovered);
          onDone();
        });
      this.#recovering.add(recovered);
    }
  }
}
