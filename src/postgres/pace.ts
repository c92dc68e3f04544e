import type { PaceAccount, PaceStore, PaceTicket } from "../send/store/pace.js";
import {
  type AccountRow,
  type AccountRows,
  GONE_AFTER_MS,
  paceStoreOf,
  SILENCE_MS,
  type SlotRow,
} from "../send/store/pace-steps.js";
import type { Priority } from "../send/parcel.js";
import { type Database, repeatedly, type Statement } from "./database.js";
import { type AccountReading, readingOf } from "./pace-reading.js";

const LOCK = "SELECT 1 FROM lettershop.pace_accounts WHERE account = $1 FOR UPDATE";

const ENTER_ACCOUNT = "INSERT INTO lettershop.pace_accounts (account) VALUES ($1) ON CONFLICT DO NOTHING";

/** $1 account, $2 news. Like a step, it is not flushed to disk separately. */
const COUNT = `
  WITH unflushed AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)
  ), news AS MATERIALIZED (
    SELECT * FROM unflushed, ROWS FROM (
      json_to_recordset(($2::text)::json) AS (period text, sent bigint, "sentInAll" bigint, "limit" bigint)
    ) WITH ORDINALITY AS each (period, sent, sent_in_all, plan_limit, position)
  ), earlier AS (
    DELETE FROM lettershop.pace_plans AS earlier USING news
    WHERE account = $1 AND earlier.period < news.period AND length(earlier.period) = length(news.period)
  ), counted AS (
    INSERT INTO lettershop.pace_plans AS known (account, period, sent, plan_limit)
    SELECT $1, period, greatest(sent, sent_in_all, 0), coalesce(plan_limit, 0) FROM news ORDER BY position
    ON CONFLICT (account, period) DO UPDATE SET (sent, plan_limit) = (
      SELECT greatest(known.sent + coalesce(news.sent, 0), sent_in_all), coalesce(news.plan_limit, known.plan_limit)
      FROM news WHERE news.period = known.period
    )
    RETURNING period, sent, plan_limit
  )
  SELECT json_build_object('sent', counted.sent, 'limit', counted.plan_limit)::text
  FROM news JOIN counted USING (period) ORDER BY position`;

/**
 * A pace store in the database that all machines share. Its clock decides, and an account's row is the lock. A step
 * whose connection breaks is made again: a slot has the id of its ticket, so no second one is taken.
 */
export function postgresPace(database: Database): PaceStore {
  async function change<Result>(
    account: string,
    reading: Statement,
    step: (rows: StoredRows, now: number) => Result,
  ): Promise<Result> {
    for (;;) {
      const lock = { sql: LOCK, values: [account] };
      const done = await database.change([lock, reading], ([locked, read]) => {
        const json = read?.[0];
        // If another machine has entered the account meanwhile, it was read but is not locked.
        if (locked?.length !== 1 || json === undefined)
          return { result: undefined, write: [{ sql: ENTER_ACCOUNT, values: [account] }] };
        const rows = new StoredRows(account, JSON.parse(json));
        return { result: { of: step(rows, rows.now) }, write: rows.changes() };
      });
      if (done !== undefined) return done.of;
    }
  }

  const stepsOn = (reading: Statement) => paceStoreOf((account, step) => change(account, reading, step));

  /** Without a limit, no slots are kept, and steps need no lock unless the service wants a pause. */
  async function isUnlimited({ account, limit }: PaceAccount): Promise<boolean> {
    if (limit < Number.POSITIVE_INFINITY) return false;
    const { sql, values } = readingOf.slot(account, "");
    const [json] = await repeatedly(() => database.query(sql, values));
    if (json === undefined) return false;
    const { now, heldUntil, limitShown }: AccountReading = JSON.parse(json);
    return limitShown === null && heldUntil <= now;
  }

  return {
    async reserve(account, ticket, holdMs) {
      // One that has waited is stored.
      if (ticket.place === undefined && (await isUnlimited(account))) return { granted: true, slot: ticket.id };
      return repeatedly(() => stepsOn(readingOf.turn(account, ticket)).reserve(account, ticket, holdMs));
    },

    // If an answer was lost, the ticket may have a slot that its owner does not know of.
    leave: ({ account }, ticket) =>
      repeatedly(() =>
        change(account, readingOf.slot(account, ticket), (rows) => {
          rows.leave(ticket);
          if (rows.findSlot(ticket)?.open === true) rows.removeSlot(ticket);
        }),
      ),

    async settle(account, id, end) {
      const learns = end.how === "answered" && end.rateLimit !== undefined;
      if (!learns && (await isUnlimited(account))) return 0;
      const reading = (learns ? readingOf.slots : readingOf.slot)(account.account, id);
      return repeatedly(() => stepsOn(reading).settle(account, id, end));
    },

    hold: (account, forMs) => repeatedly(() => stepsOn(readingOf.slot(account.account, "")).hold(account, forMs)),

    state: (account) =>
      paceStoreOf(async (name, step) => {
        const { sql, values } = readingOf.state(account);
        const [json] = await database.query(sql, values);
        const rows = new StoredRows(name, json === undefined ? UNKNOWN : JSON.parse(json));
        return step(rows, rows.now);
      }).state(account),

    // It adds to counts, so it is not repeated.
    async plan({ account }, news) {
      const counted = await database.query(COUNT, [account, JSON.stringify(news)]);
      return counted.map((json) => JSON.parse(json));
    },
  };
}

/** An account without a row. */
const UNKNOWN: AccountReading = {
  now: 0,
  clockOffset: 0,
  wentBack: false,
  heldUntil: 0,
  limitShown: null,
  highsInARow: 0,
  lastPlace: 0,
};

/** What was read of an account for one step, and what the step changes. */
class StoredRows implements AccountRows {
  readonly silenceMs = SILENCE_MS;
  readonly now: number;
  #row: AccountRow;
  #lastPlace: number;
  #forgets = false;
  readonly #put = new Map<string, SlotRow>();
  #removed: string | undefined;
  #entered: (PaceTicket & { readonly place: number }) | undefined;
  #left: string | undefined;

  constructor(
    private readonly account: string,
    private readonly stored: AccountReading,
  ) {
    const { now, heldUntil, limitShown, highsInARow, lastPlace } = stored;
    this.now = now;
    this.#row = { heldUntil, limitShown: limitShown ?? undefined, highsInARow };
    this.#lastPlace = lastPlace;
  }

  read(): AccountRow {
    return this.#row;
  }

  write(row: AccountRow): void {
    this.#row = row;
  }

  clean(): void {
    this.#forgets = true;
  }

  /** A slot that the step's ticket already has counts only once it is granted again. */
  taken(): number {
    return (this.stored.taken ?? 0) + this.#put.size;
  }

  soonest(open: boolean, count: number): readonly number[] {
    return this.#turn[open ? "openUntil" : "settledUntil"].slice(0, count);
  }

  putSlot(slot: SlotRow): void {
    this.#put.set(slot.id, slot);
  }

  findSlot(id: string): SlotRow | undefined {
    return this.stored.slot?.id === id ? this.stored.slot : undefined;
  }

  removeSlot(id: string): void {
    this.#removed = this.findSlot(id)?.id;
  }

  waiting(priority: Priority): number {
    return this.#turn.waiting[priority];
  }

  ahead(): number {
    return this.#turn.ahead;
  }

  enter(ticket: PaceTicket): number {
    const place = this.#turn.place ?? ticket.place ?? (this.#lastPlace += 1);
    this.#entered = { ...ticket, place };
    return place;
  }

  leave(ticket: string): void {
    this.#left = ticket;
  }

  hasOthers(): boolean {
    return this.#turn.hasOthers;
  }

  get #turn(): NonNullable<AccountReading["turn"]> {
    return this.stored.turn ?? NOBODY_WAITS;
  }

  /** The statements that write what has changed; none if nothing has. */
  changes(): readonly Statement[] {
    const statements = [...this.#forgotten(), ...this.#changedSlots(), ...this.#changedTickets()];
    const { account, now, stored } = this;
    const { heldUntil, limitShown = null, highsInARow } = this.#row;
    const isSame =
      heldUntil === stored.heldUntil && limitShown === stored.limitShown && highsInARow === stored.highsInARow;
    if (isSame && statements.length === 0 && !stored.wentBack) return [];
    return [
      ...statements,
      {
        sql: `UPDATE lettershop.pace_accounts SET latest = $2, clock_offset = $3, held_until = $4, limit_shown = $5,
          highs_in_a_row = $6, last_place = $7 WHERE account = $1`,
        values: [account, now, stored.clockOffset, heldUntil, limitShown, highsInARow, this.#lastPlace],
      },
    ];
  }

  /** First, so that an owner that comes back does not bring back tickets that it no longer asks for. */
  *#forgotten(): Iterable<Statement> {
    if (!this.#forgets || this.stored.hasGone !== true) return;
    const values = [this.account, this.now];
    yield {
      sql: "DELETE FROM lettershop.pace_slots WHERE account = $1 AND open IN (false, true) AND free_at <= $2",
      values,
    };
    yield {
      sql: `WITH dead AS (
          DELETE FROM lettershop.pace_owners WHERE account = $1 AND alive_until <= $2 RETURNING owner
        )
        DELETE FROM lettershop.pace_tickets USING dead WHERE account = $1 AND pace_tickets.owner = dead.owner`,
      values,
    };
  }

  *#changedSlots(): Iterable<Statement> {
    const { account } = this;
    if (this.#removed !== undefined)
      yield {
        sql: "DELETE FROM lettershop.pace_slots WHERE account = $1 AND id = $2",
        values: [account, this.#removed],
      };
    if (this.#put.size > 0)
      yield {
        sql: `INSERT INTO lettershop.pace_slots (account, id, owner, free_at, open)
          SELECT $1, id, owner, "freeAt", open
          FROM json_to_recordset($2::json) AS slot (id text, owner text, "freeAt" float8, open boolean)
          ON CONFLICT (account, id) DO UPDATE
            SET owner = excluded.owner, free_at = excluded.free_at, open = excluded.open`,
        values: [account, JSON.stringify([...this.#put.values()])],
      };
  }

  *#changedTickets(): Iterable<Statement> {
    const { account, now } = this;
    const { place: storedPlace, aliveUntil } = this.#turn;
    const mayBeStored = this.stored.turn === undefined || storedPlace !== null;
    if (this.#left !== undefined && mayBeStored)
      yield {
        sql: "DELETE FROM lettershop.pace_tickets WHERE account = $1 AND id = $2",
        values: [account, this.#left],
      };
    if (this.#entered === undefined) return;
    const { id, owner, priority, first, place } = this.#entered;
    if (storedPlace === null)
      yield {
        sql: `INSERT INTO lettershop.pace_tickets (account, id, owner, priority, first, place)
          VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
        values: [account, id, owner, priority, first, place],
      };
    // An owner that has just been seen need not be noted again.
    if (aliveUntil === null || aliveUntil < now + GONE_AFTER_MS - SILENCE_MS / 2)
      yield {
        sql: `INSERT INTO lettershop.pace_owners (account, owner, alive_until) VALUES ($1, $2, $3)
          ON CONFLICT (account, owner) DO UPDATE SET alive_until = excluded.alive_until`,
        values: [account, owner, now + GONE_AFTER_MS],
      };
  }
}

/** What steps find that read no tickets. */
const NOBODY_WAITS: NonNullable<AccountReading["turn"]> = {
  waiting: { high: 0, normal: 0 },
  ahead: 0,
  place: null,
  aliveUntil: null,
  hasOthers: false,
  openUntil: [],
  settledUntil: [],
};
