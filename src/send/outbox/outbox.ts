import type { Sent } from "../delivery/parcel.js";
import { type Duration, readDuration } from "../duration.js";
import type { Priority } from "../pace/priority.js";
import { cleaning } from "./cleaning.js";
import type { OutboxContext } from "./context.js";
import { Leases } from "./leases.js";
import { keyHash, newMessage, type QueueMessage, usedForAnother } from "./new-message.js";
import {
  type Changed,
  type ChangeOptions,
  changeMessages,
  DISCARD,
  requireStates,
  RETRY,
  type Which,
} from "./operations.js";
import { readRetention, type RetentionOptions } from "./retention.js";
import { SendOnce, type SendOnceOptions } from "./send-once.js";
import { type OutboxStats, readStats } from "./stats.js";
import type { OutboxFilter, OutboxMessage, OutboxState, StoredMessage } from "./store.js";
import { targetOf } from "./target.js";
import { type RunningWorker, startWorker, type Worker, type WorkOptions } from "./worker.js";

export type { Worker, WorkOptions };

export interface OutboxOptions
  extends RetentionOptions, Pick<OutboxContext, "store" | "courier" | "pace" | "clock" | "publish" | "check"> {
  readonly url: string;
  readonly domain: string;
  readonly sendsPerMinute: number;
  /**
   * How long a process without a heartbeat counts as alive; others take over its messages soon after. Default `15s`.
   */
  readonly lease?: Duration;
}

/** A message that is sent directly, once for its key. */
export interface KeyedMessage extends QueueMessage {
  readonly key: string;
  /** The filled subject, if known. */
  readonly subject?: string | undefined;
}

/** The result of `queue`: the message is durable. */
export interface Queued {
  /** The message's id in the outbox. */
  readonly id: string;
  readonly key?: string;
  readonly state: OutboxState;
  /** Whether an earlier call had the key: then all fields are about that call's message. */
  readonly duplicate: boolean;
  /** Set if it was accepted already. */
  readonly sent?: Sent;
}

/** Operations on queued messages. */
export interface OutboxOperations {
  /**
   * Messages without their contents, newest first.
   *
   * @example
   * const [oldest] = (await mailer.outbox.list({ state: "parked", template: "receipt" })).toReversed();
   */
  list(filter?: OutboxFilter): Promise<readonly OutboxMessage[]>;
  /** A message, with its contents while they are kept. */
  get(id: string): Promise<StoredMessage | undefined>;
  /** The message of an idempotency key. */
  byKey(key: string): Promise<StoredMessage | undefined>;
  /**
   * Queues parked, rejected or expired messages again, immediately and without an expiry. A parked message may have
   * been sent, so the delivery log is searched once more first. A queued message no longer waits for its time.
   *
   * @example
   * await mailer.outbox.retry({ state: "rejected", template: "receipt", since: Date.now() - 3_600_000 });
   *
   * @param which A filter without a state means parked and rejected messages.
   */
  retry(which: Which, options?: ChangeOptions): Promise<Changed>;
  /**
   * Discards messages: they are not sent. Their keys stay used.
   *
   * @param which A filter without a state means parked and rejected messages.
   */
  discard(which: Which, options?: ChangeOptions): Promise<Changed>;
  /**
   * The state of the outbox, as plain values.
   *
   * @example
   * const { oldestDueMs = 0, counts } = await mailer.outbox.stats();
   * response.status(oldestDueMs < 600_000 && counts.parked === 0 ? 200 : 503).end();
   */
  stats(): Promise<OutboxStats>;
}

export interface Outbox extends OutboxOperations {
  /**
   * Adds a message; it is durable when this resolves.
   *
   * @throws {InvalidMessageError} The key was used for something else, or the times don't fit.
   * @throws {StoreError} It was not added.
   */
  queue(message: QueueMessage): Promise<Queued>;
  /**
   * Sends a message with a key directly, once for all calls with that key.
   *
   * @throws {SendError} As `mailer.send` does.
   */
  send(message: KeyedMessage, options: SendOnceOptions): Promise<Sent>;
  /** Starts sending what is queued for this service and domain. */
  work(options?: WorkOptions): Worker;
  /** Stops its workers, and waits for running cleanups. */
  close(): Promise<void>;
}

/** A durable queue in front of a courier. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { store, courier, pace, clock, publish, check, sendsPerMinute } = options;
  const target = targetOf(options.url, options.domain);
  const context: OutboxContext = {
    store,
    target,
    courier,
    pace,
    clock,
    publish,
    retention: readRetention(options),
    check,
    leaseMs: readDuration(options.lease ?? "15s", "outbox.lease"),
    failed: (error) =>
      publish({ type: "outbox-trouble", reason: error instanceof Error ? error.message : String(error) }),
  };
  const workers = new Set<RunningWorker>();
  const leases = new Leases(store, clock, context.leaseMs);
  const clean = cleaning(context);
  let cleaned = Promise.resolve();
  const wake = (priorities: readonly Priority[]) => {
    for (const worker of workers) for (const priority of priorities) worker.wake(priority);
  };

  return {
    async queue(message) {
      const { message: added, added: isNew, sameContents } = await store.add(newMessage(message, target, clock.time()));
      const { id, template, priority, state, sent } = added;
      if (!sameContents) throw usedForAnother();
      if (isNew) {
        publish({ type: "queued", id, ...(template === undefined ? {} : { template }), priority });
        wake([priority]);
      }
      const { key } = message;
      return { id, ...(key === undefined ? {} : { key }), state, duplicate: !isNew, ...(sent && { sent }) };
    },
    send(message, sendOptions) {
      // Without a worker, nothing else cleans up.
      cleaned = cleaned.then(clean).catch(context.failed);
      const direct = { message: newMessage(message, target, clock.time()), subject: message.subject };
      return new SendOnce(direct, sendOptions, context, leases).run();
    },
    work(workOptions = {}) {
      const worker = startWorker(context, workOptions);
      workers.add(worker);
      void worker.done.then(() => workers.delete(worker));
      return worker;
    },
    list: async (filter = {}) => store.list(target, requireStates(filter)),
    get: (id) => store.get(target, id),
    byKey: (key) => store.byKey(target, keyHash(key)),
    async retry(which, changeOptions = {}) {
      const changed = await changeMessages(context, RETRY, which, changeOptions);
      wake(["high", "normal"]);
      return changed;
    },
    discard: (which, changeOptions = {}) => changeMessages(context, DISCARD, which, changeOptions),
    stats: () => readStats(context, sendsPerMinute),
    async close() {
      await Promise.all([cleaned, ...[...workers].map((worker) => worker.stop())]);
    },
  };
}
