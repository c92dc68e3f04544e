import type { RateLimit } from "../../api/calls/rate-limit.js";
import type { Priority } from "./priority.js";

/** Whose limit it is. */
export interface PaceAccount {
  /** Hash of the service's origin and the key. */
  readonly account: string;
  /** Requests that may reach the service in any window. Infinity for one without a limit. */
  readonly limit: number;
  readonly windowMs: number;
}

/** One who waits for a slot. */
export interface PaceTicket {
  readonly id: string;
  /** Who asks for it: the same for all tickets of one mailer. */
  readonly owner: string;
  readonly priority: Priority;
  /** For a further try of a request that has had its turn: goes before the others of its priority. */
  readonly first: boolean;
  /** What the answer to its first asking said: its place is kept for it even when it was forgotten meanwhile. */
  readonly place?: number;
}

export type PaceAnswer =
  | { readonly granted: true; readonly slot: string }
  | {
      readonly granted: false;
      /** Milliseconds after which to ask again, at the latest. */
      readonly askInMs: number;
      /** Milliseconds until its turn comes, as far as it can be known. */
      readonly expectedInMs: number;
      readonly place: number;
    };

/** How a request ended. */
export type SlotEnd =
  /** With any answer: its slot is free again one window from now. */
  | { readonly how: "answered"; readonly status?: number; readonly rateLimit?: RateLimit }
  /** It may have arrived, or may still: its slot is free when its time is over. */
  | { readonly how: "lost" }
  /** It surely never reached the service: its slot is free at once. */
  | { readonly how: "unused" };

/** What was sent in a period of the plan, and how much may be. Zero: nobody has looked. */
export interface PlanUse {
  /** Mails, one for each recipient. */
  readonly sent: number;
  readonly limit: number;
}

/** What is newly known of a period: mails sent by us now, the least that was sent in all, the plan's limit. */
export interface PlanNews {
  /** `2027-01-15` or `2027-01`. */
  readonly period: string;
  readonly sent?: number;
  readonly sentInAll?: number;
  readonly limit?: number;
}

/**
 * Where the slots of accounts are kept: in memory, or in a file that the processes of a machine share. Each call is one
 * atomic step. A store has a time of its own, which runs on evenly for all who use it, whatever happens to anybody's
 * clock: all that goes in and out are durations. What it decides is what `turnOf` says, so that all stores agree.
 */
export interface PaceStore {
  /**
   * Takes a slot for the ticket, if its turn has come; else enters it, behind those of its priority, and says when to ask
   * again. An owner that does not ask again for some seconds is gone, and its tickets are forgotten.
   *
   * @param holdMs How long the slot is taken where nobody says what became of the request.
   */
  reserve(account: PaceAccount, ticket: PaceTicket, holdMs: number): Promise<PaceAnswer>;
  /** Forgets a ticket that waits no more. */
  leave(account: PaceAccount, ticket: string): Promise<void>;
  /**
   * Ends a slot's request, and learns from what the answer said about the limit.
   *
   * @returns How many requests somebody else has made with the same key, that were not known of; as many slots are taken
   * for a window.
   */
  settle(account: PaceAccount, slot: string, end: SlotEnd): Promise<number>;
  /** Lets nothing through for so long: the service said so. */
  hold(account: PaceAccount, forMs: number): Promise<void>;
  /** Only reads, so that a health check gets an answer where nothing can be written. */
  state(account: PaceAccount): Promise<PaceState>;
  /**
   * Adds what is news about periods of the plan, and gives what is known of each. Periods before it, written like it, are
   * forgotten.
   */
  plan(account: PaceAccount, news: readonly PlanNews[]): Promise<readonly PlanUse[]>;
}

export interface PaceState {
  /** How many wait. */
  readonly waiting: Readonly<Record<Priority, number>>;
  /** Slots that are not free. */
  readonly taken: number;
  /** Milliseconds until one who came now would have its turn, as far as it can be known. */
  readonly expectedInMs: Readonly<Record<Priority, number>>;
}
