import type { RateLimit } from "../../api/calls/answer.js";
import type { Priority } from "../parcel.js";

/** The account that a limit belongs to. */
export interface PaceAccount {
  /** A hash of the service's origin and the key. */
  readonly account: string;
  /** Maximum requests that may reach the service in any window; Infinity for no limit. */
  readonly limit: number;
  readonly windowMs: number;
}

/** A place in the queue for a slot. */
export interface PaceTicket {
  readonly id: string;
  /** The same for all tickets of one mailer. */
  readonly owner: string;
  readonly priority: Priority;
  /** For another try of a request that already had its turn: goes before others of its priority. */
  readonly first: boolean;
  /** From the first answer: keeps its place even if the ticket was forgotten meanwhile. */
  readonly place?: number;
}

export type PaceAnswer =
  | { readonly granted: true; readonly slot: string }
  | {
      readonly granted: false;
      /** Maximum ms before asking again. */
      readonly askInMs: number;
      /** Milliseconds until its turn comes, as far as is known. */
      readonly expectedInMs: number;
      readonly place: number;
    };

/** How a request ended. */
export type SlotEnd =
  /** With any answer: its slot is free again one window from now. */
  | { readonly how: "answered"; readonly status?: number; readonly rateLimit?: RateLimit }
  /** It may have arrived, or may still arrive: its slot is free when its time is over. */
  | { readonly how: "lost" }
  /** It definitely never reached the service: its slot is free at once. */
  | { readonly how: "unused" };

/** How much was sent in a period of the plan, and the limit. Zero: unknown. */
export interface PlanUse {
  /** Emails, one for each recipient. */
  readonly sent: number;
  readonly limit: number;
}

/** New facts about a period: emails just sent by us, the minimum sent in total, the plan's limit. */
export interface PlanUpdate {
  /** `2027-01-15` or `2027-01`. */
  readonly period: string;
  readonly sent?: number;
  readonly sentInAll?: number;
  readonly limit?: number;
}

/**
 * Stores the slots of accounts: in memory, in a file that the processes of a machine share, or in a database that machines
 * share. Each call is one atomic step. A store has its own clock, which runs evenly for everything that uses it, whatever
 * happens to system clocks; parameters and results are durations. Decisions come from `forecastSlot`, so that all stores
 * agree.
 */
export interface PaceStore {
  /**
   * Takes a slot for the ticket if its turn has come; otherwise enters it, behind those of its priority, and says when
   * to ask again. An owner that does not ask again for several seconds counts as dead, and its tickets are forgotten.
   *
   * @param holdMs How long the slot stays taken if the end of the request is never reported.
   */
  reserve(account: PaceAccount, ticket: PaceTicket, holdMs: number): Promise<PaceAnswer>;
  /** Forgets a ticket that no longer waits. */
  leave(account: PaceAccount, ticket: string): Promise<void>;
  /**
   * Ends a slot's request, and learns from the answer's rate limit.
   *
   * @returns How many requests other software has newly made with the same key; as many slots are taken for a window.
   */
  settle(account: PaceAccount, slot: string, end: SlotEnd): Promise<number>;
  /** Blocks all requests for this long, because the service said so. */
  hold(account: PaceAccount, forMs: number): Promise<void>;
  /** Only reads, so that a health check works even if nothing can be written. */
  state(account: PaceAccount): Promise<PaceState>;
  /**
   * Adds new facts about periods of the plan, and returns what is known about each. Forgets earlier periods of the same
   * kind.
   */
  plan(account: PaceAccount, news: readonly PlanUpdate[]): Promise<readonly PlanUse[]>;
}

export interface PaceState {
  /** Number of waiting tickets. */
  readonly waiting: Readonly<Record<Priority, number>>;
  /** Number of slots that are not free. */
  readonly taken: number;
  /** Milliseconds until a new request would have its turn, as far as is known. */
  readonly expectedInMs: Readonly<Record<Priority, number>>;
}
