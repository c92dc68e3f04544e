import type { OutboundEmail } from "../../api/resources/emails.js";
import type { OnUnknown, Priority, Sent } from "../parcel.js";

/**
 * - `queued`: waits for its turn, for its `sendAt`, or for another try;
 * - `sending`: a process has it;
 * - `accepted`: the service has it;
 * - `rejected`: the service refused it, or a recipient is suppressed;
 * - `parked`: it is unknown whether it was sent; someone must decide;
 * - `expired`: it was no longer worth sending;
 * - `discarded`: someone removed it.
 */
export const OUTBOX_STATES = ["queued", "sending", "accepted", "rejected", "parked", "expired", "discarded"] as const;

export type OutboxState = (typeof OUTBOX_STATES)[number];

/** A message of the outbox. Times are milliseconds since 1970, by the store's clock. */
export interface OutboxMessage {
  readonly id: string;
  /** The service and the domain that it is for: only mailers that send there take it. */
  readonly target: string;
  /** As the caller passed it, while the contents are kept. */
  readonly key?: string;
  readonly state: OutboxState;
  /** The template's name in the project. */
  readonly template?: string;
  readonly priority: Priority;
  readonly onUnknown: OnUnknown;
  readonly queuedAt: number;
  /** Not sent before; moved forward when the message has to wait for another try. */
  readonly sendAt: number;
  readonly expiresAt?: number;
  /** How often a process took it. */
  readonly attempts: number;
  /** When it entered its state. */
  readonly changedAt: number;
  readonly sent?: Sent;
  /** Why it is in its state, as a phrase without personal data. */
  readonly reason?: string;
  /**
   * While `sending`: it belongs to a call of `send` with a key. No worker sends it, even if that call's process dies.
   */
  readonly direct?: true;
  /** Whether the message's content is still stored. */
  readonly hasContents: boolean;
}

/** A message with its content, while that is kept. */
export type StoredMessage = OutboxMessage & { readonly email?: OutboundEmail };

/** A message that a process has leased, with its content. */
export type TakenMessage = OutboxMessage & {
  readonly email: OutboundEmail;
  /** Milliseconds until it is no longer worth sending. */
  readonly expiresInMs?: number;
};

/** Conditions for listing messages; all of them must match. */
export interface OutboxFilter {
  readonly state?: OutboxState | readonly OutboxState[];
  readonly template?: string;
  /** Queued at this time or later; milliseconds since 1970. */
  readonly since?: number;
  /** A recipient's address, in any case; matches while the contents are kept. */
  readonly recipient?: string;
  /** The Message-ID with which it was accepted, or the id of the first log entry. */
  readonly sentId?: string;
  /** Default 100. */
  readonly limit?: number;
  /** A message's id: lists only those that come after it. */
  readonly after?: string;
}

/** A date in milliseconds since 1970; or in so many milliseconds, whatever the machine's clock says. */
export type Moment = { readonly at: number } | { readonly inMs: number };

export interface NewMessage extends Pick<OutboxMessage, "id" | "target" | "template" | "priority" | "onUnknown"> {
  readonly key?: MessageKey;
  /** A date in milliseconds since 1970. Default: it is due at once. */
  readonly sendAt?: number;
  readonly expires?: Moment;
  /** In lower case, without duplicates. */
  readonly recipients: readonly string[];
  readonly email: OutboundEmail;
  /**
   * Set by a call that sends the message itself: it is added as `sending` and `direct`, with this lease, and counts as
   * taken.
   */
  readonly lease?: MessageLease;
}

/** An idempotency key. Its text may be personal, and is deleted with the contents; its hash stays. */
export interface MessageKey {
  readonly text: string;
  /** Unique within a target. */
  readonly hash: string;
  /** Hash of the arguments passed with the key. */
  readonly contents: string;
}

export interface AddedMessage {
  /** The added message, or the one that has its key. */
  readonly message: OutboxMessage;
  readonly added: boolean;
  /** Whether the arguments passed with the key are the same; true for an added message. */
  readonly sameContents: boolean;
  /** Milliseconds until the message is due; 0 if it is, or is not queued. */
  readonly dueInMs: number;
}

/** A process's lease of a message. */
export interface MessageLease {
  /** Unique for each taking. */
  readonly id: string;
  /** Milliseconds for which the process counts as alive. */
  readonly forMs: number;
}

export interface TakeOptions {
  readonly target: string;
  readonly lease: MessageLease;
}

/**
 * The conditions of a change: the message is in one of the states, and matches `lease` and `direct` if they are set.
 */
export interface ExpectedMessage {
  readonly states: readonly OutboxState[];
  readonly lease?: string;
  readonly direct?: boolean;
}

export interface OutboxChange {
  readonly state: OutboxState;
  readonly sent?: Sent;
  /** If absent, the previous reason is removed. */
  readonly reason?: string;
  /** For messages that return to the queue: milliseconds until they are due. Default: as before. */
  readonly dueInMs?: number;
  /** If its time is over, it no longer expires. */
  readonly ignoreExpiry?: boolean;
  /** Does not count the taking that ends with this change. */
  readonly uncounted?: boolean;
  /** Drops the contents and the key's text in the same step. */
  readonly dropContents?: boolean;
}

export interface OutboxCounts {
  readonly states: Readonly<Record<OutboxState, number>>;
  /** Queued and due, by priority. */
  readonly due: Readonly<Record<Priority, number>>;
  /** For how many milliseconds the longest-due message, queued or sending, has been due. */
  readonly oldestDueMs?: number;
  /** Queued for other targets. */
  readonly elsewhere: number;
  /** Why messages are queued again, parked or rejected: most frequent first, at most 10. */
  readonly problems: readonly OutboxProblem[];
}

export interface OutboxProblem {
  readonly state: OutboxState;
  readonly reason: string;
  readonly messages: number;
  /** When the latest of them occurred; milliseconds since 1970. */
  readonly lastAt: number;
}

export interface CleanOptions {
  readonly target: string;
  /** Deletes the contents of messages that were accepted, expired or discarded more milliseconds ago. */
  readonly contentsMs: number;
  /** Deletes the contents of messages that were parked or rejected more milliseconds ago. */
  readonly undecidedMs: number;
  /** Deletes messages entirely, including the key's hash, if that was more milliseconds ago. */
  readonly messagesMs: number;
}

/**
 * The storage of an outbox. Each method is one atomic step, and durable when its promise resolves, even across a power
 * failure. The store's own clock decides what is due, expired or abandoned, so that differences between the clocks of
 * machines change nothing; for that, parameters and results are durations. `testMailStore` from `lettershop/testing`
 * verifies an implementation.
 */
export interface OutboxStore {
  /**
   * Adds a message as `queued`, or with a lease as `sending`. If a message has the same key, returns that one: with the
   * same contents and without a lease, it is no longer `direct`, because now the outbox must send it.
   */
  add(message: NewMessage): Promise<AddedMessage>;
  /**
   * Does the same as part of a transaction of the store's database that the caller has open: the message exists once
   * that is committed. Absent if the store has no database that applications use.
   *
   * @throws {ConfigurationError} It is not an open transaction of a known library.
   */
  addWithin?(transaction: unknown, message: NewMessage): Promise<AddedMessage>;
  /**
   * Calls back soon after a message was queued, by any process; may miss some. Absent if the store does not know.
   *
   * @returns A function that ends it.
   */
  watch?(target: string, queued: (priority: Priority) => void): () => void;
  /** Takes the queued message of a priority that has been due the longest, or undefined. It is then `sending`. */
  take(options: TakeOptions & { readonly priority: Priority }): Promise<TakenMessage | undefined>;
  /** Takes a message that is `sending` with an expired lease; it stays `sending`. */
  takeAbandoned(options: TakeOptions): Promise<TakenMessage | undefined>;
  /**
   * Takes a message by its id, if its contents are kept and it is in one of the states, or `sending` with an expired
   * lease. Returns it as it was before; it is then `sending`, and counts as taken.
   */
  takeOver(
    id: string,
    options: TakeOptions & { readonly states: readonly OutboxState[] },
  ): Promise<TakenMessage | undefined>;
  /** Extends leases to so many milliseconds from now, and returns those that are still held, expired or not. */
  keepAlive(leases: readonly string[], forMs: number): Promise<readonly string[]>;
  /**
   * Records the outcome of a message. Returns false, and changes nothing, if it does not match the expectation.
   * Afterwards it has no lease and is not `direct`.
   */
  change(id: string, expected: ExpectedMessage, change: OutboxChange): Promise<boolean>;
  /** Deletes a message and its key. Returns false, and changes nothing, if it does not match the expectation. */
  remove(id: string, expected: ExpectedMessage): Promise<boolean>;
  /** Makes queued messages whose time is over `expired`, at most a few hundred, and returns them. */
  expire(target: string): Promise<readonly OutboxMessage[]>;
  get(target: string, id: string): Promise<StoredMessage | undefined>;
  byKey(target: string, hash: string): Promise<StoredMessage | undefined>;
  /** Newest first, without contents. */
  list(target: string, filter: OutboxFilter): Promise<readonly OutboxMessage[]>;
  /** Milliseconds until the next queued message of a priority is due, 0 if it is; undefined if none is queued. */
  nextDue(target: string, priority: Priority): Promise<number | undefined>;
  counts(target: string): Promise<OutboxCounts>;
  /** All targets that it has messages for, sorted. */
  targets(): Promise<readonly string[]>;
  /** Deletes expired data, from the underlying storage, too, as far as the store controls it. */
  clean(options: CleanOptions): Promise<void>;
}
