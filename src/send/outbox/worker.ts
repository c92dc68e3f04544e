import { setMaxListeners } from "node:events";
import { ConfigurationError } from "../../errors.js";
import type { Priority } from "../parcel.js";
import { factsOf } from "../events.js";
import { cleaning, Doorbell, type OutboxContext, POLL_MS, repeatedly, STORE_BACKOFF } from "./context.js";
import {
  releaseMessage,
  type HeldMessage,
  Leases,
  parcelOf,
  recordOutcome,
  write,
  carry,
  type QueuePause,
} from "./carry.js";
import { type Backoff, backoff } from "../../api/calls/timing.js";

export interface WorkOptions {
  /**
   * Maximum messages of a priority in progress at once, including those whose outcome is being looked up. Default 10.
   */
  readonly concurrency?: number;
  /** Stops the worker. */
  readonly signal?: AbortSignal;
}

/** Sends queued messages, at the service's pace, until it is stopped. */
export interface Worker {
  /** Takes no more messages, lets requests in progress finish, and puts back what was waiting. */
  stop(): Promise<void>;
  /**
   * Resolves when nothing is due and nothing is in progress here. Messages that wait for `sendAt` or for another try
   * don't count, nor do those of other processes.
   */
  idle(): Promise<void>;
  /** Resolves when it has stopped. */
  readonly done: Promise<void>;
}

export interface RunningWorker extends Worker {
  wake(priority: Priority): void;
}

const CONCURRENCY = 10;
const PRIORITIES = ["high", "normal"] as const;

export function startWorker(context: OutboxContext, { concurrency = CONCURRENCY, signal }: WorkOptions): RunningWorker {
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new ConfigurationError(`concurrency is ${concurrency}; it must be a whole number, 1 or more.`);
  const stopping = new AbortController();
  const { signal: closing } = stopping;
  // Every message in progress listens; Node would warn above ten.
  setMaxListeners(0, closing);
  const stop = () => stopping.abort(new Error("The worker is stopped."));
  const leases = new Leases(context.store, context.clock, context.leaseMs);
  const changed = new Set<Doorbell>();
  const onDone = () => {
    for (const doorbell of changed) doorbell.ring();
  };
  const carrier = (priority: Priority) => new Carrier({ priority, context, leases, concurrency, closing, onDone });
  const carriers = { high: carrier("high"), normal: carrier("normal") };
  const keeper = new Keeper(context, leases, closing, () => {
    for (const priority of PRIORITIES) carriers[priority].ring();
    onDone();
  });
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const run = async () => {
    await Promise.all([carriers.high.run(), carriers.normal.run(), keeper.run()]);
    signal?.removeEventListener("abort", stop);
    onDone();
  };
  const done = run();

  const isBusy = () => carriers.high.busy || carriers.normal.busy || keeper.busy;
  const isIdle = async () => {
    if (isBusy()) return false;
    const due = await Promise.all(PRIORITIES.map((priority) => context.store.nextDue(context.target, priority)));
    return due.every((inMs) => inMs !== 0) && !isBusy();
  };
  return {
    done,
    stop() {
      stop();
      return done;
    },
    async idle() {
      const doorbell = new Doorbell(context.clock);
      changed.add(doorbell);
      try {
        while (!closing.aborted && !(await isIdle())) await doorbell.wait(POLL_MS);
      } finally {
        changed.delete(doorbell);
      }
      if (closing.aborted) await done;
    },
    wake: (priority) => carriers[priority].ring(),
  };
}

/** How many messages of dead processes are looked up at once. */
const RECOVERING_MAX = 10;

/** Maintains messages that are not being sent: expiry, those of dead processes, and cleaning. */
class Keeper {
  readonly #doorbell;
  readonly #clean;
  readonly #recovering = new Set<Promise<void>>();

  /** @param onDone Called when messages may have returned to the queue. */
  constructor(
    private readonly context: OutboxContext,
    private readonly leases: Leases,
    private readonly closing: AbortSignal,
    private readonly onDone: () => void,
  ) {
    this.#clean = cleaning(context);
    this.#doorbell = new Doorbell(context.clock);
  }

  get busy(): boolean {
    return this.#recovering.size > 0;
  }

  async run(): Promise<void> {
    await repeatedly(this.#doorbell, this.closing, async () => {
      await this.#look().catch(this.context.failed);
      return POLL_MS;
    });
    await Promise.all(this.#recovering);
  }

  async #look(): Promise<void> {
    await this.#expire();
    await this.#recover();
    await this.#clean();
  }

  async #expire(): Promise<void> {
    const { store, target, publish } = this.context;
    for (;;) {
      const messages = await store.expire(target);
      if (messages.length === 0) return;
      for (const message of messages) publish({ type: "expired", ...factsOf(message) });
      this.onDone();
    }
  }

  async #recover(): Promise<void> {
    const { context, leases, closing, onDone } = this;
    while (this.#recovering.size < RECOVERING_MAX && !closing.aborted) {
      const lease = leases.next();
      const message = await context.store.takeAbandoned({ target: context.target, lease });
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

/** Finds out what happened to a message whose process died while it had it. */
async function recover(hold: HeldMessage, context: OutboxContext): Promise<void> {
  const { message, lease, leases, closing } = hold;
  try {
    const outcome = await context.courier.reconcile(parcelOf(message, context), {
      closing,
      decided: async (decision) => {
        // A message that belongs to a call of `send` is sent again by the next call with its key.
        if (decision instanceof Error && message.onUnknown === "resend" && !message.direct)
          await write(hold, context, { state: "queued", reason: decision.message });
        else await recordOutcome(hold, context, decision);
      },
    });
    if (outcome === "never sent") await releaseMessage(hold, context, { state: "queued" });
  } catch (error) {
    if (!closing.aborted) throw error;
    await leases.abandon(lease);
  } finally {
    leases.drop(lease);
  }
}

/** How soon (ms) a message's turn must come before it is taken: until then, others may go first. */
const SOON_MS = 1_000;
/** How long (ms) the next message waits for the turn of the one before, which may be waiting for something of its own. */
const LEAVE_MS = 6_000;

/** How long to wait for the service to recover. */
const SERVICE_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 60_000 };

interface CarrierOptions {
  readonly priority: Priority;
  readonly context: OutboxContext;
  readonly leases: Leases;
  /** Maximum messages in progress at once. */
  readonly concurrency: number;
  readonly closing: AbortSignal;
  readonly onDone: () => void;
}

/** Takes the messages of one priority when their turn comes, one after the other, and sends them. */
class Carrier {
  readonly #doorbell;
  readonly #underWay = new Set<Promise<void>>();
  #taking = false;
  #troubles = 0;
  /** By `clock.now()`. */
  #pausedUntil = 0;

  constructor(private readonly options: CarrierOptions) {
    this.#doorbell = new Doorbell(options.context.clock);
  }

  /** Without a limit, messages need not wait for their turn. */
  get #takesTurns(): boolean {
    return this.options.context.sendsPerMinute < Number.POSITIVE_INFINITY;
  }

  ring(): void {
    this.#doorbell.ring();
  }

  get busy(): boolean {
    return this.#taking || this.#underWay.size > 0;
  }

  async run(): Promise<void> {
    await repeatedly(this.#doorbell, this.options.closing, () =>
      this.#next().catch((error: unknown) => this.#failed(error)),
    );
    await Promise.all(this.#underWay);
  }

  /** Takes a message if it is time; returns the milliseconds until it is worth looking again. */
  async #next(): Promise<number> {
    const { priority, context, concurrency, closing } = this.options;
    const { store, target, pace, clock } = context;
    if (this.#underWay.size >= concurrency) return POLL_MS;
    const paused = this.#pausedUntil - clock.now();
    if (paused > 0) return Math.min(paused, POLL_MS);
    const dueInMs = await store.nextDue(target, priority);
    if (dueInMs !== 0) return Math.min(dueInMs ?? POLL_MS, POLL_MS);
    const turn = this.#takesTurns ? (await pace.expectedWait(priority)) - SOON_MS : 0;
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
      const message = await store.take({ target, priority, lease });
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
      onDone();
    }
    if (this.#takesTurns) await left.wait(LEAVE_MS);
    return 0;
  }

  #pauseFor(trouble: QueuePause | undefined, pauses = SERVICE_BACKOFF): void {
    if (trouble === undefined) {
      this.#troubles = 0;
      return;
    }
    this.#troubles += 1;
    const wait = trouble.waitMs ?? backoff(this.#troubles, pauses);
    this.#pausedUntil = this.options.context.clock.now() + Math.min(wait, pauses.longestMs);
  }

  /** The messages are safe, and the store may recover, for example when the disk has space again. */
  #failed(error: unknown): number {
    this.options.context.failed(error);
    this.#pauseFor({}, STORE_BACKOFF);
    return POLL_MS;
  }
}
