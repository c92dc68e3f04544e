import type { Priority } from "./priority.js";
import type { PaceTicket, PlanNews, PlanUse } from "./store.js";

/** The state of an account, apart from slots and tickets. */
export interface AccountRow {
  readonly heldUntil: number;
  /** The limit in the service's answers. */
  readonly limitShown: number | undefined;
  readonly highsInARow: number;
}

export interface SlotRow {
  readonly id: string;
  readonly owner: string;
  /** When it becomes free, whatever happens. */
  readonly freeAt: number;
  /** Whether its request is in progress: the answer determines when it becomes free. */
  readonly open: boolean;
}

/** What the steps of a pace store read and write for an account; all calls of a step are one atomic change. */
export interface AccountRows {
  /** How long an owner may be silent and still count as waiting. */
  readonly silenceMs: number;

  read(): AccountRow;
  write(row: AccountRow): void;

  /** Forgets the slots that are free at a time, and the tickets of dead owners. */
  clean(now: number): void;

  taken(): number;
  /** When the next slots become free, in order: those with a request in progress, or the others. */
  soonest(open: boolean, count: number): readonly number[];
  /** Adds a slot, or replaces the one with the same id. */
  putSlot(slot: SlotRow): void;
  findSlot(id: string): SlotRow | undefined;
  removeSlot(id: string): void;

  waiting(priority: Priority): number;
  /** How many of its priority wait before a ticket, which need not be entered. */
  ahead(ticket: PaceTicket): number;
  /**
   * Enters a ticket if necessary, at its earlier place if it had one, and notes that its owner is alive. Returns its
   * place.
   */
  enter(ticket: PaceTicket, now: number): number;
  leave(ticket: string): void;
  /** Whether another owner waits or makes a request: its actions may change things without notice. */
  hasOthers(owner: string): boolean;

  plan(news: PlanNews): PlanUse;
}
