import { randomUUID } from "node:crypto";
import type { Priority } from "../parcel.js";
import type { PaceAccount, PaceStore, PaceTicket, PlanUpdate, PlanUse } from "./pace.js";
import type { RateLimit } from "../../api/calls/answer.js";

/** Runs a step on an account's rows as one atomic change, at a time of the store's own clock. */
export type Atomically = <Result>(account: string, step: (rows: AccountRows, now: number) => Result) => Promise<Result>;

/** Maximum ms before looking again for changes by other owners. */
const LOOK_AGAIN_MS = 1000;

/**
 * A pace store on rows of any kind: all stores share the logic of the steps.
 *
 * @param look Runs a step that changes nothing, apart from cleaning.
 */
export function paceStoreOf(atomically: Atomically, look = atomically): PaceStore {
  return {
    reserve: (account, ticket, holdMs) =>
      atomically(account.account, (rows, now) => {
        rows.clean(now);
        const row = rows.read();
        const turn = forecastSlot(account, ticket.priority, rows.ahead(ticket), { rows, row, now });
        if (turn.come) return { granted: true, slot: grant(ticket, now + holdMs, rows, row) };
        const place = rows.enter(ticket, now);
        const expectedInMs = turn.at - now;
        const askInMs = Math.min(rows.silenceMs, askIn(expectedInMs, account, rows.hasOthers(ticket.owner)));
        return { granted: false, askInMs, expectedInMs, place };
      }),

    leave: (account, ticket) => atomically(account.account, (rows) => rows.leave(ticket)),

    settle: (account, id, end) =>
      atomically(account.account, (rows, now) => {
        const slot = rows.findSlot(id) ?? { id, owner: "", freeAt: now + account.windowMs, open: true };
        if (end.how === "unused") rows.removeSlot(id);
        else
          rows.putSlot({
            id,
            owner: slot.owner,
            open: false,
            freeAt: end.how === "answered" ? now + account.windowMs : slot.freeAt,
          });
        if (end.how !== "answered" || end.rateLimit === undefined) return 0;

        const shown = limitShown(end.rateLimit);
        if (shown === undefined) return 0;
        rows.clean(now);
        const row = rows.read();
        if (row.limitShown !== shown) rows.write({ ...row, limitShown: shown });
        const foreign = foreignRequests(end.rateLimit, {
          limit: limitOf(account, { ...row, limitShown: shown }),
          taken: rows.taken(),
          refused: end.status === 429,
        });
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

    plan: (account, news) => atomically(account.account, (rows) => news.map((each) => rows.plan(each))),
  };
}

/** The slot has the ticket's id, since each ticket gets one slot. */
function grant(ticket: PaceTicket, freeAt: number, rows: AccountRows, row: AccountRow): string {
  const { id, owner } = ticket;
  rows.leave(id);
  rows.putSlot({ id, owner, freeAt, open: true });
  const overtook = ticket.priority === "high" && rows.waiting("normal") > 0;
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
  if (!hasOthers && turnInMs > 0) return turnInMs;
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

  plan(news: PlanUpdate): PlanUse;
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

/**
 * The service's limit according to an answer. Undefined if the answer has none, or if the service counts nothing, not
 * even the request that it answers.
 */
function limitShown({ limit, remaining }: RateLimit): number | undefined {
  return limit !== undefined && limit > 0 && remaining !== undefined && remaining < limit ? limit : undefined;
}

/** Each takes a slot, and headers may contain any number. */
const FOREIGN_MAX = 1000;

/**
 * How many requests of other software the service has counted. Capacity beyond our own limit is left to that software.
 *
 * @param taken Our slots, each of which the service may have counted.
 * @param refused Whether the answer is a 429. The service says when to come back: one slot is left for that.
 */
function foreignRequests(
  { limit: shown = 0, remaining = shown }: RateLimit,
  { limit, taken, refused }: { readonly limit: number; readonly taken: number; readonly refused: boolean },
): number {
  const foreign = shown - remaining - taken - Math.max(0, shown - limit) - Number(refused);
  return Math.min(Math.max(0, foreign), FOREIGN_MAX);
}
