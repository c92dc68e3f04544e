import { randomUUID } from "node:crypto";
import type { Priority } from "../parcel.js";
import type { PaceAccount, PaceStore, PaceTicket, SlotEnd } from "./pace.js";

/** Runs a step on an account's rows as one atomic change, at a time of the store's own clock. */
export type Atomically = <Result>(account: string, step: (rows: AccountRows, now: number) => Result) => Promise<Result>;

/** Maximum ms before looking again for changes by other owners. */
const LOOK_AGAIN_MS = 1000;

/** Maximum ms between two polls of a waiting owner, in stores that several processes share. */
export const SILENCE_MS = 1000;
/** After this long without polling, an owner counts as dead. If it comes back, it gets its place again. */
export const GONE_AFTER_MS = 2.5 * SILENCE_MS;

/**
 * A pace store on rows of any kind, apart from plans: all stores share the logic of the steps.
 *
 * @param look Runs a step that changes nothing, apart from cleaning.
 */
export function paceStoreOf(atomically: Atomically, look = atomically): Omit<PaceStore, "plan"> {
  return {
    reserve: (account, ticket, holdMs) =>
      atomically(account.account, (rows, now) => {
        rows.clean(now);
        const row = rows.read();
        const limit = limitOf(account, row);
        const turn = forecastSlot(account, ticket.priority, rows.ahead(ticket), { rows, row, now });
        if (turn.come) return { granted: true, slot: grant(ticket, limit, now + holdMs, rows) };
        const place = rows.enter(ticket, now);
        const expectedInMs = turn.at - now;
        const askInMs = askIn(expectedInMs, { ...account, limit }, rows.hasOthers(ticket.owner));
        return { granted: false, askInMs: Math.min(rows.silenceMs, askInMs), expectedInMs, place };
      }),

    leave: (account, ticket) => atomically(account.account, (rows) => rows.leave(ticket)),

    settle: (account, id, end) =>
      atomically(account.account, (rows, now) => {
        const learnt = end.how === "answered" ? learn(end, rows) : undefined;
        const limit = limitOf(account, rows.read());
        if (limit === Number.POSITIVE_INFINITY) return 0;

        const { owner = "", freeAt = now } = rows.findSlot(id) ?? {};
        // Stores forget slots that are free, at different times.
        const isHeld = freeAt > now;
        if (end.how === "unused") rows.removeSlot(id);
        else
          rows.putSlot({
            id,
            owner,
            open: false,
            freeAt: end.how === "lost" && isHeld ? freeAt : now + account.windowMs,
          });
        if (learnt === undefined) return 0;
        rows.clean(now);
        const foreign = foreignRequests(learnt, { limit, taken: rows.taken() });
        for (let n = 0; n < foreign; n += 1)
          rows.putSlot({ id: randomUUID(), owner: "", freeAt: now + account.windowMs, open: false });
        return foreign;
      }),

    hold: (account, forMs) =>
      atomically(account.account, (rows, now) => {
        const row = rows.read();
        rows.write({ ...row, heldUntil: Math.max(row.heldUntil, now + forMs) });
      }),

    state: (account) =>
      look(account.account, (rows, now) => {
        rows.clean(now);
        const row = rows.read();
        const waiting = { high: rows.waiting("high"), normal: rows.waiting("normal") };
        const expectedInMs = (priority: Priority) =>
          forecastSlot(account, priority, waiting[priority], { rows, row, now }).at - now;
        return {
          waiting,
          taken: rows.taken(),
          expectedInMs: { high: expectedInMs("high"), normal: expectedInMs("normal") },
        };
      }),
  };
}

/** The slot has the ticket's id, since each ticket gets one slot. Without a limit, no slots are kept. */
function grant({ id, owner, priority }: PaceTicket, limit: number, freeAt: number, rows: AccountRows): string {
  rows.leave(id);
  if (limit === Number.POSITIVE_INFINITY) return id;
  rows.putSlot({ id, owner, freeAt, open: true });
  const row = rows.read();
  const overtook = priority === "high" && rows.waiting("normal") > 0;
  const highsInARow = overtook ? row.highsInARow + 1 : 0;
  if (highsInARow !== row.highsInARow) rows.write({ ...row, highsInARow });
  return id;
}

/** The state of an account at one moment of the store's own clock. */
interface Read {
  readonly rows: AccountRows;
  readonly row: AccountRow;
  readonly now: number;
}

function limitOf({ limit }: PaceAccount, { limitShown: shown }: AccountRow): number {
  return shown === undefined ? limit : Math.min(limit, shown);
}

/** If only time has to pass, the turn is known; otherwise other owners' actions must be polled for. */
function askIn(turnInMs: number, { windowMs, limit }: PaceAccount, hasOthers: boolean): number {
  if (limit === Number.POSITIVE_INFINITY || (!hasOthers && turnInMs > 0)) return turnInMs;
  const lookAgain = Math.min(LOOK_AGAIN_MS, Math.max(10, windowMs / limit / 2));
  // It waits for another owner to take a free slot, which may happen at any moment.
  return turnInMs > 0 ? Math.min(turnInMs, lookAgain) : lookAgain / 10;
}

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
}

interface SlotForecast {
  /** When its turn comes, as far as is known. */
  readonly at: number;
  /** Whether it has come. */
  readonly come: boolean;
}

/** Slots reserved for urgent requests. */
function reservedSlots(limit: number): number {
  return Math.min(2, Math.floor(limit / 5));
}

/** Tolerance for the wait of urgent requests, relative to even spacing: requests take some time too. */
const SPACING_SLACK = 1.1;

/**
 * Decides when a waiting request may go. Urgent ones go first, and others leave room for them: a normal one goes only
 * if the next urgent one would still find a slot within a tenth of the window, and the one after that within two
 * tenths. So a burst leaves two slots unused, and a continuous queue uses all ten, evenly spaced. One in `limit` slots
 * goes to normal requests.
 */
function forecastSlot(account: PaceAccount, priority: Priority, ahead: number, { rows, row, now }: Read): SlotForecast {
  const { windowMs } = account;
  const limit = limitOf(account, row);
  if (limit === Number.POSITIVE_INFINITY) {
    const at = Math.max(now, row.heldUntil);
    return { at, come: at <= now };
  }
  const others = rows.waiting(priority === "high" ? "normal" : "high");
  const normalsTurn = row.highsInARow >= Math.max(1, limit - 1) && (priority === "normal" || others > 0);
  const overdue = normalsTurn && priority === "normal" && ahead === 0;
  const before = ahead + (priority === "high" ? Number(normalsTurn) : overdue ? 0 : others);
  const reserved = priority === "high" || overdue ? 0 : reservedSlots(limit);

  const free = freeTimes(before + 1 + reserved, { ...account, limit }, { rows, row, now });
  const spacing = (windowMs / limit) * SPACING_SLACK;
  const leavesRoom = free.slice(before).map((time, urgent) => time - urgent * spacing);
  const at = Math.max(now, ...leavesRoom);
  return { at, come: before === 0 && at <= now };
}

/** When the next slots may be used, assuming each is used as soon as possible. */
function freeTimes(count: number, { limit, windowMs }: PaceAccount, { rows, row, now }: Read): readonly number[] {
  const earliest = Math.max(now, row.heldUntil);
  const open = limit - rows.taken();
  const known = count > open ? soonestOf(rows, count - open, now + windowMs) : [];
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const cooling = n < open ? earliest : known[n - open];
    times.push(cooling === undefined ? (times[n - limit] ?? earliest) + windowMs : Math.max(earliest, cooling));
  }
  return times;
}

/** @param latest When a slot is free whose request is answered now: an open one may be answered at any moment. */
function soonestOf(rows: AccountRows, count: number, latest: number): readonly number[] {
  const underWay = rows.soonest(true, count).map((freeAt) => Math.min(freeAt, latest));
  return [...rows.soonest(false, count), ...underWay].toSorted((one, other) => one - other).slice(0, count);
}

/** What an answer says about the service's limit. */
interface Learnt {
  readonly limit: number;
  readonly remaining: number;
  /** Whether the answer is a 429. */
  readonly refused: boolean;
}

/**
 * Notes the service's limit. Undefined if the answer has none, or if the service counts nothing, not even the request
 * that it answers.
 */
function learn({ rateLimit, status }: Extract<SlotEnd, { how: "answered" }>, rows: AccountRows): Learnt | undefined {
  const { limit = 0, remaining = limit } = rateLimit ?? {};
  if (remaining >= limit) return undefined;
  const row = rows.read();
  if (row.limitShown !== limit) rows.write({ ...row, limitShown: limit });
  return { limit, remaining, refused: status === 429 };
}

/** Each takes a slot, and headers may contain any number. */
const FOREIGN_MAX = 1000;

/**
 * How many requests of other software the service has counted. Capacity beyond our own limit is left to that software.
 * After a 429, the service says when to come back: one slot is left for that.
 *
 * @param taken Our slots, each of which the service may have counted.
 */
function foreignRequests(
  { limit: shown, remaining, refused }: Learnt,
  { limit, taken }: { readonly limit: number; readonly taken: number },
): number {
  const foreign = shown - remaining - taken - Math.max(0, shown - limit) - Number(refused);
  return Math.min(Math.max(0, foreign), FOREIGN_MAX);
}
