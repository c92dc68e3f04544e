import type { Priority } from "./priority.js";
import type { PaceTicket, PlanNews, PlanUse } from "./store.js";

/** What is remembered of an account, besides slots and tickets. */
export interface AccountRow {
  readonly heldUntil: number;
  /** The limit that the service's answers showed. */
  readonly limitShown: number | undefined;
  readonly highsInARow: number;
}

export interface SlotRow {
  readonly id: string;
  readonly owner: string;
  /** From then on it is free, whatever happens. */
  readonly freeAt: number;
  /** Whether its request is under way: its answer will say when it is free. */
  readonly open: boolean;
}

/** What the steps of a pace store read and write of an account; all calls of a step are one atomic whole. */
export interface AccountRows {
  /** How long an owner may say nothing and yet be believed to wait. */
  readonly silenceMs: number;

  read(): AccountRow;
  write(row: AccountRow): void;

  /** Forgets the slots that are free at a moment, and the tickets of owners that are gone. */
  clean(now: number): void;

  taken(): number;
  /** Those of requests under way, or the others: the ones that are free soonest, in order. */
  soonest(open: boolean, count: number): readonly number[];
  /** Adds a slot, or puts it in the place of the one that has its id. */
  putSlot(slot: SlotRow): void;
  findSlot(id: string): SlotRow | undefined;
  removeSlot(id: string): void;

  waiting(priority: Priority): number;
  /** How many of its priority wait before a ticket, which need not be entered. */
  ahead(ticket: PaceTicket): number;
  /** Enters a ticket where it is not, at the place that it had, and notes that its owner is there. Gives its place. */
  enter(ticket: PaceTicket, now: number): number;
  leave(ticket: string): void;
  /** Whether anybody else waits, or makes a request: something may then change that this owner does not hear of. */
  hasOthers(owner: string): boolean;

  plan(news: PlanNews): PlanUse;
}
