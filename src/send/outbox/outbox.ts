import { type Priority, type Sent, targetOf } from "../parcel.js";
import { readDuration } from "../clock.js";
import { factsOf, messageOf } from "../events.js";
import type { OutboxOptions } from "../options.js";
import { completed, Leases } from "./carry.js";
import {
  cleaning,
  keyHash,
  newMessage,
  type OutboxContext,
  type QueueMessage,
  readRetention,
  usedForAnother,
} from "./context.js";
import { SendOnce, type SendOnceOptions } from "./send-once.js";
import {
  type NewMessage,
  OUTBOX_STATES,
  type OutboxChange,
  type OutboxFilter,
  type OutboxMessage,
  type OutboxProblem,
  type OutboxState,
  type OutboxStore,
  type StoredMessage,
} from "../store/outbox.js";
import { type RunningWorker, startWorker, type Worker, type WorkOptions } from "./worker.js";
import { ConfigurationError } from "../../errors.js";

export type { Worker, WorkOptions };

export interface NewOutboxOptions
  extends
    OutboxOptions,
    Pick<OutboxContext, "store" | "courier" | "pace" | "sendsPerMinute" | "clock" | "publish" | "check"> {
  readonly url: string;
  readonly domain: string;
}

export interface KeyedMessage extends QueueMessage {
  readonly key: string;
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

export type Outbox = ReturnType<typeof createOutbox>;

/** A durable queue in front of a courier. */
export function createOutbox(options: NewOutboxOptions) {
  const { store, courier, pace, clock, publish, check, sendsPerMinute } = options;
  const target = targetOf(options.url, options.domain);
  const context: OutboxContext = {
    store,
    target,
    courier,
    pace,
    sendsPerMinute,
    clock,
    publish,
    retention: readRetention(options),
    check,
    leaseMs: readDuration(options.lease ?? "15s", "outbox.lease"),
    failed: (error) => publish({ type: "outbox-trouble", reason: messageOf(error) }),
  };
  const workers = new Set<RunningWorker>();
  const leases = new Leases(store, clock, context.leaseMs);
  const clean = cleaning(context);
  let cleaned = Promise.resolve();
  const wake = (priorities: readonly Priority[]) => {
    for (const worker of workers) for (const priority of priorities) worker.wake(priority);
  };

  return {
    /**
     * Adds a message; it is durable when this resolves, or when its transaction is committed.
     *
     * @throws {InvalidMessageError} The key was used for something else.
     * @throws {StoreError} It was not added.
     */
    async queue(message: QueueMessage): Promise<Queued> {
      const { transaction } = message;
      const found = await addTo(store, newMessage(message, target), transaction);
      const { message: added, added: isNew, sameContents } = found;
      const { id, priority, state, sent } = added;
      if (!sameContents) throw usedForAnother();
      if (isNew) {
        publish({ type: "queued", ...factsOf(added) });
        // Before the commit, there is nothing to take.
        if (transaction === undefined) wake([priority]);
      }
      const { key } = message;
      return { id, ...(key === undefined ? {} : { key }), state, duplicate: !isNew, ...(sent && { sent }) };
    },
    /** Sends a message with a key directly, once for all calls with that key. Throws what `mailer.send` does. */
    send(message: KeyedMessage, sendOptions: SendOnceOptions): Promise<Sent> {
      // Without a worker, nothing else cleans up.
      cleaned = cleaned.then(clean).catch(context.failed);
      const direct = { message: newMessage(message, target), expiresAt: message.expiresAt, subject: message.subject };
      return new SendOnce(direct, sendOptions, context, leases).run();
    },
    /** Starts sending what is queued for this service and domain. */
    work(workOptions: WorkOptions = {}): Worker {
      const worker = startWorker(context, workOptions);
      workers.add(worker);
      const endWatch = store.watch?.(target, (priority) => worker.wake(priority));
      const onDone = () => {
        workers.delete(worker);
        endWatch?.();
      };
      void worker.done.then(onDone);
      return worker;
    },
    list: async (filter: OutboxFilter = {}) => store.list(target, requireStates(filter)),
    get: (id: string) => store.get(target, id),
    byKey: (key: string) => store.byKey(target, keyHash(key)),
    async retry(which: Which, changeOptions: ChangeOptions = {}) {
      const changed = await changeMessages(context, RETRY, which, changeOptions);
      wake(["high", "normal"]);
      return changed;
    },
    discard: (which: Which, changeOptions: ChangeOptions = {}) =>
      changeMessages(context, DISCARD, which, changeOptions),
    stats: () => readStats(context),
    /** Stops its workers, and waits for running cleanups. */
    async close(): Promise<void> {
      await Promise.all([cleaned, ...[...workers].map((worker) => worker.stop())]);
    },
  };
}

/** @throws {ConfigurationError} The store has no database that applications use, or that is not a transaction of it. */
async function addTo(store: OutboxStore, message: NewMessage, transaction: unknown) {
  if (transaction === undefined) return store.add(message);
  if (store.addWithin !== undefined) return store.addWithin(transaction, message);
  throw new ConfigurationError(
    "Only a store in Postgres can join a transaction: postgresStore of lettershop/postgres.",
  );
}

type Which = string | readonly string[] | OutboxFilter;

interface ChangeOptions {
  /** Only report what would be changed. Default false. */
  readonly dryRun?: boolean;
}

/** What was changed or, with `dryRun`, would be changed. */
interface Changed {
  readonly ids: readonly string[];
  readonly skipped: readonly { readonly id: string; readonly state?: OutboxState; readonly reason: string }[];
}

const PAGE = 500;

interface Operation {
  /** The states that it applies to. */
  readonly from: readonly OutboxState[];
  /** The states of a filter without states. */
  readonly byDefault: readonly OutboxState[];
  readonly needsContents: boolean;
  readonly change: OutboxChange;
}

const RETRY: Operation = {
  from: ["parked", "rejected", "expired", "queued"],
  byDefault: ["parked", "rejected"],
  needsContents: true,
  change: { state: "queued", dueInMs: 0, ignoreExpiry: true },
};

const DISCARD: Operation = {
  from: ["queued", "parked", "rejected", "expired"],
  byDefault: ["parked", "rejected"],
  needsContents: false,
  change: { state: "discarded" },
};

/** @throws {ConfigurationError} The filter has an unknown state. */
async function changeMessages(
  context: OutboxContext,
  operation: Operation,
  which: Which,
  { dryRun = false }: ChangeOptions,
): Promise<Changed> {
  const { store, target } = context;
  const ids: string[] = [];
  const skipped: { id: string; state?: OutboxState; reason: string }[] = [];
  const changeOne = async (message: OutboxMessage) => {
    const { id, state } = message;
    const reason = whyNot(message, operation);
    if (reason !== undefined) skipped.push({ id, state, reason });
    else if (dryRun || (await store.change(id, { states: [state] }, completed(operation.change, context))))
      ids.push(id);
    else skipped.push({ id, state, reason: "it has just changed" });
  };
  if (typeof which === "string" || isList(which)) {
    for (const id of [which].flat()) {
      const message = await store.get(target, id);
      if (message) await changeOne(message);
      else skipped.push({ id, reason: "there is no such message" });
    }
    return { ids, skipped };
  }
  const { limit = Number.POSITIVE_INFINITY, ...filter } = { state: operation.byDefault, ...requireStates(which) };
  let { after } = which;
  for (let left = limit; left > 0;) {
    const page = await store.list(target, { ...filter, limit: Math.min(PAGE, left), ...(after && { after }) });
    await Promise.all(page.map(changeOne));
    if (page.length < PAGE) break;
    left -= page.length;
    after = page.at(-1)?.id;
  }
  return { ids, skipped };
}

/** @throws {ConfigurationError} */
function requireStates(filter: OutboxFilter): OutboxFilter {
  const wrong = [filter.state ?? []].flat().find((state) => !OUTBOX_STATES.includes(state));
  if (wrong === undefined) return filter;
  throw new ConfigurationError(`The outbox has no state "${wrong}".`, {
    hint: `Use one of ${OUTBOX_STATES.join(", ")}.`,
  });
}

function isList(which: readonly string[] | OutboxFilter): which is readonly string[] {
  return Array.isArray(which);
}

function whyNot({ state, hasContents }: OutboxMessage, { from, needsContents }: Operation): string | undefined {
  if (!from.includes(state)) return `it is ${state}`;
  return needsContents && !hasContents ? "its content is no longer stored" : undefined;
}

/** The state of an outbox. */
export interface OutboxStats {
  readonly counts: Readonly<Record<OutboxState, number>>;
  /** Queued, and only waiting for their turn. */
  readonly due: number;
  /** How long the oldest queued or sending message has been due, in ms. During an outage, messages stay in sending. */
  readonly oldestDueMs?: number;
  /** Milliseconds until a message queued now would be sent, as far as is known. */
  readonly expectedWaitMs: Readonly<Record<Priority, number>>;
  /** Queued in the same store for another service or domain: this mailer does not send them. */
  readonly elsewhere: number;
  /** Why messages are queued again, parked or rejected: most frequent first, at most 10. */
  readonly problems: readonly OutboxProblem[];
}

const MINUTE_MS = 60_000;

async function readStats({ store, target, pace, sendsPerMinute }: OutboxContext): Promise<OutboxStats> {
  const { states, due, oldestDueMs, elsewhere, problems } = await store.counts(target);
  const wait = async (priority: Priority, before: number) =>
    (await pace.expectedWait(priority)) + Math.floor(before / sendsPerMinute) * MINUTE_MS;
  return {
    counts: states,
    due: due.high + due.normal,
    ...(oldestDueMs !== undefined && { oldestDueMs }),
    expectedWaitMs: { high: await wait("high", due.high), normal: await wait("normal", due.high + due.normal) },
    elsewhere,
    problems,
  };
}
