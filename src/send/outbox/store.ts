import type { OutboundEmail } from "../../api/contract/v4/emails.js";
import type { OnUnknown, Parcel, Sent } from "../delivery/parcel.js";
import type { Priority } from "../pace/priority.js";

/**
 * - `queued`: waits for its turn, or for its `sendAt`;
 * - `sending`: a process has it;
 * - `accepted`: the service has it;
 * - `rejected`: the service refused it;
 * - `parked`: nobody knows whether it was sent; somebody has to decide;
 * - `expired`: it was not worth sending any more;
 * - `discarded`: somebody took it out.
 */
export type OutboxState = "queued" | "sending" | "accepted" | "rejected" | "parked" | "expired" | "discarded";

/** A message of the outbox. Times are `clock.time()`. */
export interface OutboxMessage {
  readonly id: string;
  readonly key?: string;
  readonly state: OutboxState;
  readonly template?: string;
  readonly priority: Priority;
  readonly onUnknown: OnUnknown;
  readonly queuedAt: number;
  /** Not before. */
  readonly sendAt: number;
  readonly expiresAt?: number;
  /** How often a process took it. */
  readonly attempts: number;
  /** When its state is final: since when. */
  readonly decidedAt?: number;
  readonly sent?: Sent;
  /** In words, without anything personal: why it is where it is. */
  readonly reason?: string;
  /** What will be sent, or was. Undefined when it is not kept any more. */
  readonly email?: OutboundEmail;
}

export interface OutboxFilter {
  readonly state?: OutboxState | readonly OutboxState[];
  readonly template?: string;
  /** Queued since then. */
  readonly since?: number;
  readonly limit?: number;
  /** Messages after this one, in the order of the list. */
  readonly after?: string;
}

export type NewMessage = Omit<Parcel, "email" | "id"> & {
  readonly id: string;
  readonly email: OutboundEmail;
  readonly key?: string;
  /** Hash of what was asked for with the key: the same key with something else is a mistake. */
  readonly keyOf?: string;
  readonly queuedAt: number;
  readonly sendAt: number;
};

/** What an outbox is kept in. Every change is durable when its promise resolves. */
export interface OutboxStore {
  /** Adds a message, or gives the one that has its key. */
  add(message: NewMessage): Promise<{ readonly message: OutboxMessage; readonly added: boolean }>;
  /** Takes the next message that is due, for a process that is believed to be alive until then. */
  take(options: TakeOptions): Promise<OutboxMessage | undefined>;
  /** Moves `aliveUntil` on of what a process has. */
  keepAlive(ids: readonly string[], aliveUntil: number): Promise<void>;
  /** Takes a message whose process is gone, for reconciling it. */
  takeAbandoned(now: number, aliveUntil: number): Promise<OutboxMessage | undefined>;
  /** Writes what became of a message, if it is still in the state that is expected. */
  change(id: string, from: readonly OutboxState[], to: OutboxChange): Promise<boolean>;
  get(id: string): Promise<OutboxMessage | undefined>;
  byKey(key: string): Promise<OutboxMessage | undefined>;
  /** Newest first. */
  list(filter: OutboxFilter): Promise<readonly OutboxMessage[]>;
  /** When the next message is due: of a priority, by `clock.time()`. */
  nextDue(priority: Priority): Promise<number | undefined>;
  stats(now: number): Promise<OutboxCounts>;
  /** Forgets contents and messages that were decided before these moments. */
  clean(options: { readonly contentsBefore: number; readonly messagesBefore: number }): Promise<void>;
}

export interface TakeOptions {
  readonly now: number;
  readonly aliveUntil: number;
  readonly priority: Priority;
}

export interface OutboxChange {
  readonly state: OutboxState;
  readonly at: number;
  readonly sent?: Sent;
  readonly reason?: string;
  /** For what goes back into the queue. */
  readonly sendAt?: number;
}

export interface OutboxCounts {
  readonly counts: Readonly<Record<OutboxState, number>>;
  /** When the oldest queued message that is due was due. */
  readonly oldestDue?: number;
}
