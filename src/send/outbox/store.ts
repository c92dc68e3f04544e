import type { OutboundEmail } from "../../api/resources/v4/emails.js";
import type { OnUnknown, Sent } from "../delivery/parcel.js";
import type { Priority } from "../pace/priority.js";

/**
 * - `queued`: waits for its turn, for its `sendAt`, or for another try;
 * - `sending`: a process has it;
 * - `accepted`: the service has it;
 * - `rejected`: the service refused it, or somebody whom it is for gets no more mail;
 * - `parked`: nobody knows whether it was sent; somebody has to decide;
 * - `expired`: it was not worth sending any more;
 * - `discarded`: somebody took it out.
 */
export const OUTBOX_STATES = ["queued", "sending", "accepted", "rejected", "parked", "expired", "discarded"] as const;

export type OutboxState = (typeof OUTBOX_STATES)[number];

/** A message of the outbox. Times are milliseconds since 1970. */
export interface OutboxMessage {
  readonly id: string;
  /** The service and the domain that it is for: only who sends there takes it. */
  readonly target: string;
  /** As the caller gave it, as long as the contents are kept. */
  readonly key?: string;
  readonly state: OutboxState;
  /** Its name in the project. */
  readonly template?: string;
  readonly priority: Priority;
  readonly onUnknown: OnUnknown;
  readonly queuedAt: number;
  /** Not before; it moves on when the message has to wait for another try. */
  readonly sendAt: number;
  readonly expiresAt?: number;
  /** How often a process took it. */
  readonly attempts: number;
  /** Since when it has its state. */
  readonly changedAt: number;
  readonly sent?: Sent;
  /** Why it is where it is, in words, without anything personal. */
  readonly reason?: string;
  /** While it is `sending`: it belongs to a call of `send` with a key alone. No worker sends it, not even if that call's process ends. */
  readonly direct?: true;
  /** Whether what would be sent, or was, is still kept. */
  readonly hasContents: boolean;
}

/** A message with what will be sent, or was; without it where that is not kept any more. */
export type StoredMessage = OutboxMessage & { readonly email?: OutboundEmail };

/** A message that a process has, with what to send. */
export type TakenMessage = OutboxMessage & { readonly email: OutboundEmail };

/** What is to hold of a message for it to be listed: everything that is given. */
export interface OutboxFilter {
  readonly state?: OutboxState | readonly OutboxState[];
  readonly template?: string;
  /** Queued then or later; milliseconds since 1970. */
  readonly since?: number;
  /** An address that it goes to, whatever its case; found as long as the contents are kept. */
  readonly recipient?: string;
  /** The Message-ID with which it was accepted, or the id of the first log entry. */
  readonly sentId?: string;
  /** Default 100. */
  readonly limit?: number;
  /** The id of a message: only those that come after it in the list. */
  readonly after?: string;
}

export interface NewMessage {
  readonly id: string;
  readonly target: string;
  readonly key?: NewKey;
  readonly template?: string;
  readonly priority: Priority;
  readonly onUnknown: OnUnknown;
  readonly queuedAt: number;
  readonly sendAt: number;
  readonly expiresAt?: number;
  /** In lower case, each once. */
  readonly recipients: readonly string[];
  readonly email: OutboundEmail;
  /** Set by a call that sends the message itself: it is added as `sending` and `direct`, held by this lease, and counts as taken. */
  readonly lease?: Lease;
}

/** An idempotency key. Its text may be personal, and goes with the contents; its hash stays. */
export interface NewKey {
  readonly text: string;
  /** No two messages of a target have the same. */
  readonly hash: string;
  /** Hash of what was asked for with the key. */
  readonly contents: string;
}

export interface Added {
  /** What was added, or what has its key. */
  readonly message: OutboxMessage;
  readonly added: boolean;
  /** Whether what was asked for with the key is the same; true for what was added. */
  readonly sameContents: boolean;
}

/** A process's hold of a message. */
export interface Lease {
  /** Another for each taking. */
  readonly id: string;
  /** Until when the process may be believed to be alive. */
  readonly until: number;
}

export interface TakeOptions {
  readonly target: string;
  readonly now: number;
  readonly lease: Lease;
}

/** The conditions of a change: the message is in one of the states, and fits `lease` and `direct` where they are given. */
export interface Expected {
  readonly states: readonly OutboxState[];
  readonly lease?: string;
  readonly direct?: boolean;
}

export interface OutboxChange {
  readonly state: OutboxState;
  readonly at: number;
  readonly sent?: Sent;
  /** Where there is none, the one before is gone. */
  readonly reason?: string;
  /** For what goes back into the queue. Default: as it was. */
  readonly sendAt?: number;
  /** It does not expire any more. */
  readonly neverExpires?: boolean;
  /** Does not count the taking that ends with this. */
  readonly uncounted?: boolean;
  /** Drops contents and the key's text in the same step. */
  readonly dropContents?: boolean;
}

export interface OutboxCounts {
  readonly states: Readonly<Record<OutboxState, number>>;
  /** Queued and due, by priority. */
  readonly due: Readonly<Record<Priority, number>>;
  /** When the one that is due for the longest was due, of those that are queued or being sent. */
  readonly oldestDue?: number;
  /** Queued for other targets. */
  readonly elsewhere: number;
  /** Why messages are queued again, parked or rejected: the most frequent first, at most 10. */
  readonly problems: readonly OutboxProblem[];
}

export interface OutboxProblem {
  readonly state: OutboxState;
  readonly reason: string;
  readonly messages: number;
  /** When the newest of them came there; milliseconds since 1970. */
  readonly lastAt: number;
}

export interface CleanOptions {
  readonly target: string;
  /** Contents go of what was accepted, expired or discarded before. */
  readonly contentsBefore: number;
  /** Contents go of what was parked or rejected before. */
  readonly undecidedBefore: number;
  /** All goes, the key's hash too, of what is neither queued nor being sent and came there before. */
  readonly messagesBefore: number;
}

/**
 * What an outbox is kept in. Each method is one atomic step, and durable, over the end of the machine too, when its
 * promise resolves. `outboxCases` of `lettershop/testing` says whether a store keeps to this.
 */
export interface OutboxStore {
  /**
   * Adds a message as `queued`, or with a lease as `sending`. Or gives the message that has its key: with the same contents and
   * without a lease, that one is not `direct` any more, because now the outbox has to send it.
   */
  add(message: NewMessage): Promise<Added>;
  /** Takes the queued message of a priority that is due for the longest, or undefined: it is `sending` then. */
  take(options: TakeOptions & { readonly priority: Priority }): Promise<TakenMessage | undefined>;
  /** Takes a message that is `sending` and whose lease is over; it stays `sending`. */
  takeAbandoned(options: TakeOptions): Promise<TakenMessage | undefined>;
  /**
   * Takes a message by its id, if its contents are kept and it is in one of the states, or `sending` with a lease that is over. Gives it
   * as it was before; it is `sending` then, and counts as taken.
   */
  takeOver(
    id: string,
    options: TakeOptions & { readonly states: readonly OutboxState[] },
  ): Promise<TakenMessage | undefined>;
  /** Moves leases on, and gives those that are still held, be they over or not. */
  keepAlive(leases: readonly string[], until: number): Promise<readonly string[]>;
  /**
   * Writes what became of a message: false, and nothing is changed, where it is not as expected. No lease holds it afterwards, and it is
   * not `direct`.
   */
  change(id: string, expected: Expected, change: OutboxChange): Promise<boolean>;
  /** Forgets a message and its key: false, and nothing is changed, where it is not as expected. */
  remove(id: string, expected: Expected): Promise<boolean>;
  /** Makes queued messages whose time is over `expired`, some hundred at most, and gives them. */
  expire(target: string, now: number): Promise<readonly OutboxMessage[]>;
  get(target: string, id: string): Promise<StoredMessage | undefined>;
  byKey(target: string, hash: string): Promise<StoredMessage | undefined>;
  /** Newest first, without contents. */
  list(target: string, filter: OutboxFilter): Promise<readonly OutboxMessage[]>;
  /** When the next queued message of a priority is due; undefined where none is queued. */
  nextDue(target: string, priority: Priority): Promise<number | undefined>;
  counts(target: string, now: number): Promise<OutboxCounts>;
  /** All targets that it has messages for, sorted. */
  targets(): Promise<readonly string[]>;
  /** Forgets what need not be kept, so that it cannot be read from what holds the store either. */
  clean(options: CleanOptions): Promise<void>;
}
