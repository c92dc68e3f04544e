import { type Clock, oncePerClock } from "../clock.js";
import type { MailStore, Suppression, SuppressionStore } from "./store.js";
import { Latest } from "../../cache/memoize.js";
import type { Ledger, LedgerEntry, NewLedgerEntry } from "./ledger.js";
import type { Sent, Priority } from "../parcel.js";
import { type AccountRow, type AccountRows, paceStoreOf, type SlotRow } from "./pace-steps.js";
import type { PaceStore, PaceTicket, PlanUpdate, PlanUse } from "./pace.js";

/**
 * The store of mailers without a file. All mailers of the process share pace and ledger; nothing outlives the process.
 */
export function memoryStore(clock: Clock): MailStore {
  return {
    pace: processPace(clock),
    ledger: processLedger(clock),
    suppressions: memorySuppressions(),
    close: async () => undefined,
  };
}

/** Suppressions for the mailers of one process, forgotten when it ends. */
export function memorySuppressions(): SuppressionStore {
  /** Includes removed ones, so that the same bounce does not add them again. */
  const entries = new Map<string, { readonly suppression: Suppression; readonly removed: boolean }>();
  const active = () => [...entries.values()].filter(({ removed }) => !removed).map(({ suppression }) => suppression);
  return {
    find: async (emails) => {
      const wanted = new Set(emails.map((email) => email.toLowerCase()));
      return active().filter(({ email }) => wanted.has(email));
    },
    async add(input) {
      const suppression = { ...input, email: input.email.toLowerCase() };
      const before = entries.get(suppression.email);
      if (before !== undefined && !isNewer(suppression, before.suppression)) return false;
      entries.set(suppression.email, { suppression, removed: false });
      return before?.removed ?? true;
    },
    async remove(email) {
      const before = entries.get(email.toLowerCase());
      if (before === undefined || before.removed) return false;
      entries.set(email.toLowerCase(), { ...before, removed: true });
      return true;
    },
    list: async () => active().toSorted((a, b) => b.since - a.since || (a.email < b.email ? -1 : 1)),
  };
}

/** Manual additions always count. Bounces of the same second are distinguished by their events. */
function isNewer({ since, event }: Suppression, than: Suppression): boolean {
  return event === undefined || since > than.since || (since === than.since && event !== than.event);
}

/** Times are by `clock.now()`. */
interface Request extends NewLedgerEntry {
  readonly startedAt: number;
  readonly aliveUntil: number;
  readonly undecided: boolean;
  /** How many requests may have arrived, not counting the one that was answered. */
  readonly requests: number;
}

/** How many messages and undecided requests are remembered: those of several hours, at any pace that a service allows. */
const REMEMBERED = 10_000;

export const processLedger = oncePerClock(memoryLedger);

export function memoryLedger(clock: Clock): Ledger {
  const requests = new Map<string, Request>();
  /** The parcels that messages belong to, by message id. */
  const mails = new Latest<string>(REMEMBERED);
  const mailsByParcel = new Latest<Sent>(REMEMBERED);

  const open = (id: string) => {
    const request = requests.get(id);
    return request === undefined || request.undecided ? undefined : request;
  };

  const entryOf = ({ id, fingerprint, likeness, startedAt, aliveUntil }: Request): LedgerEntry => {
    const now = clock.now();
    return { id, fingerprint, likeness, ageMs: now - startedAt, aliveForMs: aliveUntil - now };
  };

  function keepMail(id: string, sent: Sent): void {
    if (mails.get(sent.messageId) === undefined) mails.set(sent.messageId, id);
    mailsByParcel.set(id, sent);
  }

  return {
    async begin(entry, aliveForMs) {
      const now = clock.now();
      for (const other of requests.values())
        if (other.fingerprint === entry.fingerprint && other.id !== entry.id && !other.undecided) return entryOf(other);
      const { startedAt, requests: before } = requests.get(entry.id) ?? { startedAt: now, requests: 0 };
      const aliveUntil = now + aliveForMs;
      requests.set(entry.id, { ...entry, startedAt, aliveUntil, undecided: false, requests: before + 1 });
      return undefined;
    },
    async keepAlive(id, aliveForMs) {
      const request = open(id);
      if (request !== undefined) requests.set(id, { ...request, aliveUntil: clock.now() + aliveForMs });
    },
    async adopt(id, aliveForMs) {
      const request = open(id);
      const now = clock.now();
      if (request === undefined || request.aliveUntil > now) return false;
      requests.set(id, { ...request, aliveUntil: now + aliveForMs });
      return true;
    },
    async end(id, how) {
      const now = clock.now();
      const request = requests.get(id);
      requests.delete(id);
      if (typeof how === "object") keepMail(id, how);
      const left = (request?.requests ?? 0) - (how === "undecided" ? 0 : 1);
      if (request === undefined || left <= 0) return;
      const given = how === "not sent" ? {} : { undecided: true, aliveUntil: now };
      requests.set(id, { ...request, ...given, requests: left });
      const [oldest] = requests.size > REMEMBERED ? requests.values() : [];
      if (oldest !== undefined && oldest.aliveUntil <= now) requests.delete(oldest.id);
    },
    async find(id) {
      const sent = mailsByParcel.get(id);
      if (sent !== undefined) return { state: "accepted", sent };
      const request = requests.get(id);
      return request && { state: request.undecided ? "undecided" : "open", entry: entryOf(request) };
    },
    async claim({ id, likeness, candidates, rivalsWithinMs }) {
      const own = candidates.find(({ messageId }) => mails.get(messageId) === id);
      if (own !== undefined) return own;
      const free = candidates.filter(({ messageId }) => mails.get(messageId) === undefined);
      const [first] = free;
      if (first === undefined) return "none";
      const rivalsSince = clock.now() - rivalsWithinMs;
      const rivals = [...requests.values()].filter(
        (other) => other.id !== id && other.likeness === likeness && other.aliveUntil >= rivalsSince,
      );
      const unanswered = rivals.reduce(
        (sum, other) => sum + other.requests - (!other.undecided && mailsByParcel.get(other.id) !== undefined ? 1 : 0),
        0,
      );
      if (free.length <= unanswered) return "ambiguous";
      keepMail(id, first);
      return first;
    },
  };
}

export const processPace = oncePerClock(createMemoryPace);

export function createMemoryPace(clock: Clock): PaceStore {
  const accounts = new Map<string, MemoryRows>();
  async function change<Result>(account: string, step: (rows: MemoryRows, now: number) => Result): Promise<Result> {
    const now = clock.now();
    let rows = accounts.get(account);
    if (rows === undefined) {
      for (const [other, { idle }] of accounts) if (idle(now)) accounts.delete(other);
      rows = new MemoryRows();
      accounts.set(account, rows);
    }
    return step(rows, now);
  }
  const plan: PaceStore["plan"] = ({ account }, news) => change(account, (rows) => news.map((each) => rows.plan(each)));
  return { ...paceStoreOf(change), plan };
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

  plan({ period, sent = 0, sentInAll = 0, limit }: PlanUpdate): PlanUse {
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
