import {
  type AddedMessage,
  type CleanOptions,
  type ExpectedMessage,
  type MessageLease,
  type NewMessage,
  OUTBOX_STATES,
  type OutboxChange,
  type OutboxCounts,
  type OutboxFilter,
  type OutboxMessage,
  type OutboxProblem,
  type OutboxState,
  type OutboxStore,
  type StoredMessage,
  type TakenMessage,
  type TakeOptions,
} from "../send/store/outbox.js";
import type { Clock } from "../send/clock.js";
import type { Priority } from "../send/parcel.js";

/** A message with the fields that are internal to the outbox. */
interface Entry {
  message: Omit<OutboxMessage, "hasContents">;
  contents: Pick<NewMessage, "email" | "recipients"> | undefined;
  /** Times by the clock's `time`. */
  lease: { readonly id: string; readonly until: number } | undefined;
  readonly key: NewMessage["key"];
}

export class MemoryOutbox implements OutboxStore {
  /** Oldest first. */
  readonly #entries = new Map<string, Entry>();

  /** @param onAdd Called with each message that is added. */
  constructor(
    private readonly clock: Clock,
    private readonly onAdd: (message: NewMessage) => Promise<unknown> = async () => undefined,
  ) {}

  async add(added: NewMessage): Promise<AddedMessage> {
    const { key, recipients, email, lease, sendAt = 0, expires, ...message } = added;
    const now = this.clock.time();
    const earlier = this.#of(message.target).find((entry) => key !== undefined && entry.key?.hash === key.hash);
    if (earlier !== undefined) {
      const sameContents = earlier.key?.contents === key?.contents;
      if (sameContents && lease === undefined) earlier.message = notDirect(earlier.message);
      return { message: seen(earlier), added: false, sameContents, dueInMs: dueIn(earlier, now) };
    }
    const entry: Entry = {
      message: {
        ...message,
        ...(key === undefined ? {} : { key: key.text }),
        state: lease === undefined ? "queued" : "sending",
        queuedAt: now,
        sendAt: Math.max(now, sendAt),
        ...(expires && { expiresAt: "at" in expires ? expires.at : now + expires.inMs }),
        attempts: lease === undefined ? 0 : 1,
        changedAt: now,
        ...(lease === undefined ? {} : { direct: true }),
      },
      contents: { recipients, email },
      lease: lease && this.#held(lease),
      key,
    };
    this.#entries.set(message.id, entry);
    await this.onAdd(added);
    return { message: seen(entry), added: true, sameContents: true, dueInMs: dueIn(entry, now) };
  }

  /** Records the message at once: a test's transaction may be a stand-in. */
  addWithin(_transaction: unknown, message: NewMessage): Promise<AddedMessage> {
    return this.add(message);
  }

  async take({ target, priority, lease }: TakeOptions & { readonly priority: Priority }) {
    const now = this.clock.time();
    const entry = this.#queued(target)
      .filter(({ message }) => message.priority === priority && message.sendAt <= now && !isOver(message, now))
      .toSorted((one, other) => one.message.sendAt - other.message.sendAt)[0];
    if (entry === undefined) return undefined;
    const { message } = entry;
    entry.message = { ...message, state: "sending", attempts: message.attempts + 1, changedAt: now };
    entry.lease = this.#held(lease);
    return taken(entry, now);
  }

  async takeAbandoned({ target, lease }: TakeOptions): Promise<TakenMessage | undefined> {
    const now = this.clock.time();
    const entry = this.#of(target).find((each) => each.lease !== undefined && each.lease.until <= now);
    if (entry === undefined) return undefined;
    entry.lease = this.#held(lease);
    return taken(entry, now);
  }

  async takeOver(
    id: string,
    { target, lease, states }: TakeOptions & { readonly states: readonly OutboxState[] },
  ): Promise<TakenMessage | undefined> {
    const now = this.clock.time();
    const entry = this.#of(target).find(({ message }) => message.id === id);
    if (entry?.contents === undefined) return undefined;
    const { message } = entry;
    const isAbandoned = entry.lease !== undefined && entry.lease.until <= now;
    if (!states.includes(message.state) && !isAbandoned) return undefined;
    const before = taken(entry, now);
    entry.message = { ...message, state: "sending", attempts: message.attempts + 1, changedAt: now };
    entry.lease = this.#held(lease);
    return before;
  }

  async keepAlive(leases: readonly string[], forMs: number): Promise<readonly string[]> {
    return [...this.#entries.values()].flatMap((entry) => {
      if (entry.lease === undefined || !leases.includes(entry.lease.id)) return [];
      const { id } = entry.lease;
      entry.lease = this.#held({ id, forMs });
      return [id];
    });
  }

  async change(id: string, expected: ExpectedMessage, change: OutboxChange): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined || !meetsExpectation(entry, expected)) return false;
    const { reason: _before, expiresAt, ...message } = notDirect(entry.message);
    const { state, sent, reason, dueInMs, ignoreExpiry = false, uncounted = false } = change;
    const now = this.clock.time();
    const isIgnored = ignoreExpiry && isOver(entry.message, now);
    entry.message = {
      ...message,
      state,
      changedAt: now,
      ...(dueInMs !== undefined && { sendAt: now + dueInMs }),
      attempts: message.attempts - Number(uncounted),
      ...(reason === undefined ? {} : { reason }),
      ...(sent === undefined ? {} : { sent }),
      ...(expiresAt === undefined || isIgnored ? {} : { expiresAt }),
    };
    entry.lease = undefined;
    if (change.dropContents === true) dropContents(entry);
    return true;
  }

  async remove(id: string, expected: ExpectedMessage): Promise<boolean> {
    const entry = this.#entries.get(id);
    return entry !== undefined && meetsExpectation(entry, expected) && this.#entries.delete(id);
  }

  async expire(target: string): Promise<readonly OutboxMessage[]> {
    const now = this.clock.time();
    const over = this.#queued(target).filter(({ message }) => isOver(message, now));
    for (const entry of over) {
      const { reason: _before, ...message } = entry.message;
      entry.message = { ...message, state: "expired", changedAt: now };
    }
    return over.map(seen);
  }

  async get(target: string, id: string): Promise<StoredMessage | undefined> {
    return stored(this.#of(target).find(({ message }) => message.id === id));
  }

  async byKey(target: string, hash: string): Promise<StoredMessage | undefined> {
    return stored(this.#of(target).find(({ key }) => key?.hash === hash));
  }

  async list(target: string, filter: OutboxFilter): Promise<readonly OutboxMessage[]> {
    const { after, limit = 100 } = filter;
    const newestFirst = this.#of(target).toReversed();
    const start = after === undefined ? 0 : newestFirst.findIndex(({ message }) => message.id === after) + 1;
    return newestFirst
      .slice(start)
      .filter((entry) => fits(entry, filter))
      .slice(0, limit)
      .map(seen);
  }

  async nextDue(target: string, priority: Priority): Promise<number | undefined> {
    const times = this.#queued(target).flatMap(({ message }) =>
      message.priority === priority ? [message.sendAt] : [],
    );
    return times.length === 0 ? undefined : Math.max(0, Math.min(...times) - this.clock.time());
  }

  async targets(): Promise<readonly string[]> {
    return [...new Set([...this.#entries.values()].map(({ message }) => message.target))].toSorted();
  }

  async counts(target: string): Promise<OutboxCounts> {
    const now = this.clock.time();
    const all = this.#of(target).map(({ message }) => message);
    const late = all.filter(({ state, sendAt }) => (state === "queued" || state === "sending") && sendAt <= now);
    const due = late.filter(({ state }) => state === "queued");
    const count = (priority: Priority) => due.filter((message) => message.priority === priority).length;
    const states = OUTBOX_STATES.map((state) => [state, all.filter((message) => message.state === state).length]);
    return {
      states: Object.fromEntries(states),
      due: { high: count("high"), normal: count("normal") },
      ...(late.length === 0 ? {} : { oldestDueMs: now - Math.min(...late.map(({ sendAt }) => sendAt)) }),
      elsewhere: [...this.#entries.values()].filter(
        ({ message }) => message.state === "queued" && message.target !== target,
      ).length,
      problems: problemsOf(all),
    };
  }

  async clean({ target, contentsMs, undecidedMs, messagesMs }: CleanOptions): Promise<void> {
    const now = this.clock.time();
    for (const entry of this.#of(target)) {
      const { id, state, changedAt } = entry.message;
      if (state === "queued" || state === "sending") continue;
      const isUndecided = state === "parked" || state === "rejected";
      if (changedAt < now - (isUndecided ? undecidedMs : contentsMs)) dropContents(entry);
      if (changedAt < now - messagesMs) this.#entries.delete(id);
    }
  }

  /** The ids of messages that are neither sent nor given up, oldest first. */
  get waiting(): readonly string[] {
    return [...this.#entries.values()].flatMap(({ message: { id, state, direct } }) =>
      state === "queued" || (state === "sending" && !direct) ? [id] : [],
    );
  }

  clear(): void {
    this.#entries.clear();
  }

  #held({ id, forMs }: MessageLease): Entry["lease"] {
    return { id, until: this.clock.time() + forMs };
  }

  #of(target: string): Entry[] {
    return [...this.#entries.values()].filter(({ message }) => message.target === target);
  }

  #queued(target: string): Entry[] {
    return this.#of(target).filter(({ message }) => message.state === "queued");
  }
}

function meetsExpectation({ message, lease }: Entry, expected: ExpectedMessage): boolean {
  return (
    expected.states.includes(message.state) &&
    (expected.lease === undefined || lease?.id === expected.lease) &&
    (expected.direct === undefined || (message.direct ?? false) === expected.direct)
  );
}

function notDirect({ direct: _direct, ...message }: Entry["message"]): Entry["message"] {
  return message;
}

function isOver({ expiresAt }: Entry["message"], now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function dropContents(entry: Entry): void {
  const { key: _text, ...message } = entry.message;
  entry.message = message;
  entry.contents = undefined;
}

function seen({ message, contents }: Entry): OutboxMessage {
  return { ...message, hasContents: contents !== undefined };
}

function stored(entry: Entry | undefined): StoredMessage | undefined {
  return entry && { ...seen(entry), ...(entry.contents === undefined ? {} : { email: entry.contents.email }) };
}

function taken(entry: Entry, now: number): TakenMessage {
  if (entry.contents === undefined) throw new Error("A waiting message has no contents.");
  const { expiresAt } = entry.message;
  return {
    ...seen(entry),
    email: entry.contents.email,
    ...(expiresAt !== undefined && { expiresInMs: expiresAt - now }),
  };
}

function dueIn({ message: { state, sendAt } }: Entry, now: number): number {
  return state === "queued" ? Math.max(0, sendAt - now) : 0;
}

function fits({ message, contents }: Entry, { state, template, since, recipient, sentId }: OutboxFilter): boolean {
  return (
    (state === undefined || [state].flat().includes(message.state)) &&
    (template === undefined || message.template === template) &&
    (since === undefined || message.queuedAt >= since) &&
    (recipient === undefined || contents?.recipients.includes(recipient.toLowerCase()) === true) &&
    (sentId === undefined || message.sent?.id === sentId || message.sent?.messageId === sentId)
  );
}

function problemsOf(messages: readonly Entry["message"][]): OutboxProblem[] {
  const problems = new Map<string, OutboxProblem>();
  for (const { state, reason, changedAt } of messages) {
    if (reason === undefined || !["queued", "parked", "rejected"].includes(state)) continue;
    const name = `${state} ${reason}`;
    const { messages: before, lastAt } = problems.get(name) ?? { messages: 0, lastAt: 0 };
    problems.set(name, { state, reason, messages: before + 1, lastAt: Math.max(lastAt, changedAt) });
  }
  return [...problems.values()]
    .toSorted((one, other) => other.messages - one.messages || other.lastAt - one.lastAt)
    .slice(0, 10);
}
