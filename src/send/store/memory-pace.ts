import type { Clock } from "../clock.js";
import type { Priority } from "../parcel.js";
import { type AccountRow, type AccountRows, paceStoreOf, type SlotRow } from "./pace-steps.js";
import type { PaceStore, PaceTicket, PlanNews, PlanUse } from "./pace.js";

const ofProcess = new WeakMap<Clock, PaceStore>();

/** The pace shared by all mailers of this process that use the same clock and have no store. */
export function processPace(clock: Clock): PaceStore {
  const store = ofProcess.get(clock) ?? createMemoryPace(clock);
  ofProcess.set(clock, store);
  return store;
}

/** A pace store that lives as long as its process. */
export function createMemoryPace(clock: Clock): PaceStore {
  const accounts = new Map<string, MemoryRows>();
  return paceStoreOf(async (account, step) => {
    const now = clock.now();
    let rows = accounts.get(account);
    if (rows === undefined) {
      for (const [other, { idle }] of accounts) if (idle(now)) accounts.delete(other);
      rows = new MemoryRows();
      accounts.set(account, rows);
    }
    return step(rows, now);
  });
}

interface Entered extends PaceTicket {
  readonly place: number;
}

/** Slots are ordered by the time at which they become free. */
class MemoryRows implements AccountRows {
  readonly silenceMs = Number.POSITIVE_INFINITY;
  #row: AccountRow = { heldUntil: Number.NEGATIVE_INFINITY, limitShown: undefined, highsInARow: 0 };
  #slots = new Map<string, SlotRow>();
  readonly #order: Record<"open" | "settled", SlotRow[]> = { open: [], settled: [] };
  readonly #tickets: Record<Priority, Entered[]> = { high: [], normal: [] };
  readonly #plans = new Map<string, PlanUse>();
  #places = 0;

  /** Whether it can be forgotten without changing anything. */
  readonly idle = (now: number): boolean => {
    this.clean(now);
    const waiting = this.#tickets.high.length + this.#tickets.normal.length;
    return this.#slots.size + waiting + this.#plans.size === 0 && this.#row.heldUntil <= now;
  };

  read(): AccountRow {
    return this.#row;
  }

  write(row: AccountRow): void {
    this.#row = row;
  }

  clean(now: number): void {
    for (const slots of [this.#order.open, this.#order.settled]) {
      const taken = slots.findIndex(({ freeAt }) => freeAt > now);
      if (taken === 0) continue;
      for (const { id } of slots.splice(0, taken === -1 ? slots.length : taken)) this.#slots.delete(id);
    }
  }

  taken(): number {
    return this.#slots.size;
  }

  soonest(open: boolean, count: number): readonly number[] {
    return this.#ordered(open)
      .slice(0, count)
      .map(({ freeAt }) => freeAt);
  }

  putSlot(slot: SlotRow): void {
    this.removeSlot(slot.id);
    this.#slots.set(slot.id, slot);
    const slots = this.#ordered(slot.open);
    const at = slots.findLastIndex(({ freeAt }) => freeAt <= slot.freeAt) + 1;
    if (at === slots.length) slots.push(slot);
    else slots.splice(at, 0, slot);
  }

  findSlot(id: string): SlotRow | undefined {
    return this.#slots.get(id);
  }

  removeSlot(id: string): void {
    const slot = this.#slots.get(id);
    if (slot === undefined) return;
    this.#slots.delete(id);
    const slots = this.#ordered(slot.open);
    slots.splice(slots.indexOf(slot), 1);
  }

  waiting(priority: Priority): number {
    return this.#tickets[priority].length;
  }

  ahead(ticket: PaceTicket): number {
    const tickets = this.#tickets[ticket.priority];
    const entered = tickets.findIndex(({ id }) => id === ticket.id);
    return entered === -1 ? positionOf(ticket, tickets) : entered;
  }

  enter(ticket: PaceTicket): number {
    const tickets = this.#tickets[ticket.priority];
    const entered = tickets.find(({ id }) => id === ticket.id);
    if (entered !== undefined) return entered.place;
    const { place = (this.#places += 1) } = ticket;
    tickets.splice(positionOf(ticket, tickets), 0, { ...ticket, place });
    return place;
  }

  leave(ticket: string): void {
    for (const tickets of Object.values(this.#tickets)) {
      const entered = tickets.findIndex(({ id }) => id === ticket);
      if (entered !== -1) tickets.splice(entered, 1);
    }
  }

  hasOthers(owner: string): boolean {
    const hasOtherOwner = (rows: readonly { readonly owner: string }[]) => rows.some((row) => row.owner !== owner);
    return hasOtherOwner(this.#order.open) || hasOtherOwner(this.#tickets.high) || hasOtherOwner(this.#tickets.normal);
  }

  plan({ period, sent = 0, sentInAll = 0, limit }: PlanNews): PlanUse {
    const known = this.#plans.get(period) ?? { sent: 0, limit: 0 };
    const use = { sent: Math.max(known.sent + sent, sentInAll), limit: limit ?? known.limit };
    for (const other of this.#plans.keys())
      if (other.length === period.length && other < period) this.#plans.delete(other);
    this.#plans.set(period, use);
    return use;
  }

  #ordered(open: boolean): SlotRow[] {
    return open ? this.#order.open : this.#order.settled;
  }
}

/** How many tickets wait before one that has not been entered yet. */
function positionOf({ first, place = Number.POSITIVE_INFINITY }: PaceTicket, tickets: readonly Entered[]): number {
  return 1 + tickets.findLastIndex((other) => (other.first === first ? other.place < place : other.first));
}
