import { randomUUID } from "node:crypto";
import type { Priority } from "./priority.js";
import type { AccountRow, AccountRows } from "./rows.js";
import type { PaceAccount, PaceStore, PaceTicket } from "./store.js";
import { foreignRequests, limitShown, type Situation, turnOf } from "./turn.js";

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
        const turn = turnOf(situationOf(account, ticket.priority, rows.ahead(ticket), { rows, row, now }));
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
          turnOf(situationOf(account, priority, waiting[priority], { rows, row, now })).at - now;
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

interface Read {
  readonly rows: AccountRows;
  readonly row: AccountRow;
  readonly now: number;
}

function situationOf(account: PaceAccount, priority: Priority, ahead: number, { rows, row, now }: Read): Situation {
  return {
    now,
    heldUntil: row.heldUntil,
    highsInARow: row.highsInARow,
    limit: limitOf(account, row),
    windowMs: account.windowMs,
    taken: rows.taken(),
    soonest(count) {
      // An open slot becomes free one window after its answer, which may come at any moment.
      const underWay = rows.soonest(true, count).map((freeAt) => Math.min(freeAt, now + account.windowMs));
      return [...rows.soonest(false, count), ...underWay].toSorted((one, other) => one - other).slice(0, count);
    },
    priority,
    ahead,
    others: rows.waiting(priority === "high" ? "normal" : "high"),
  };
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
