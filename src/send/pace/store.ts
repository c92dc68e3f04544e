import type { Priority } from "./priority.js";

/** Whose limit it is. */
export interface PaceAccount {
  /** Hash of the service's origin and the key. */
  readonly account: string;
  /** Requests that may reach the service in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Slots that are kept for `high`. */
  readonly reserved: number;
}

/** Somebody who waits for a slot. Times are `clock.time()`. */
export interface PaceTicket {
  readonly id: string;
  readonly priority: Priority;
  /** For a second try of a request that has had its turn: goes before the others of its priority. */
  readonly first: boolean;
  /** Until when its process may be believed to be waiting. Asking again moves it on. */
  readonly aliveUntil: number;
}

export type PaceAnswer =
  | {
      readonly granted: true;
      /** Until `settle` says otherwise, the slot is taken until `heldUntil` of the request. */
      readonly slot: string;
    }
  | {
      readonly granted: false;
      /** Ask again then, at the latest. */
      readonly askAt: number;
      /** When its turn will come, as far as it can be known. */
      readonly expectedAt: number;
    };

/** Where the slots of an account are kept: in memory, or in a file that the processes of a machine share. */
export interface PaceStore {
  /**
   * In one atomic step: takes a slot for the ticket, where one is free and nobody is before it; else enters it, at the end
   * of its priority, and says when to ask again.
   *
   * @param heldUntil Until when the slot is taken where nobody says what became of the request.
   */
  reserve(account: PaceAccount, ticket: PaceTicket, now: number, heldUntil: number): Promise<PaceAnswer>;
  /** Forgets a ticket that waits no more. */
  leave(account: PaceAccount, ticketId: string): Promise<void>;
  /** From when on a slot is free again; `undefined`: the request surely never reached the service, it is free at once. */
  settle(account: PaceAccount, slot: string, freeAt: number | undefined): Promise<void>;
  /** Lets nothing through before a moment: the service said so. */
  hold(account: PaceAccount, until: number): Promise<void>;
  /** Requests of somebody else with the same key, as the service's answers show them: so many slots are taken until then. */
  noteForeign(account: PaceAccount, count: number, until: number): Promise<void>;
  /** How many wait, by priority, and how many slots are taken. */
  state(account: PaceAccount, now: number): Promise<PaceState>;
}

export interface PaceState {
  readonly waiting: Readonly<Record<Priority, number>>;
  readonly taken: number;
  /** By `clock.time()`; when a ticket of that priority that came now would have its turn. */
  readonly expectedAt: Readonly<Record<Priority, number>>;
}
