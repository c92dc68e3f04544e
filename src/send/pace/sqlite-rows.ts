import type { Priority } from "./priority.js";
import type { AccountRow, AccountRows, SlotRow } from "./rows.js";
import type { PaceStatements } from "./sqlite-statements.js";
import type { PaceTicket, PlanNews, PlanUse } from "./store.js";

/** Maximum ms between two polls of a waiting owner. */
const SILENCE_MS = 1000;
/** After this long without polling, an owner counts as dead. If it comes back, it gets its place again. */
const GONE_AFTER_MS = 2.5 * SILENCE_MS;

export class SqliteRows implements AccountRows {
  readonly silenceMs = SILENCE_MS;
  readonly #account: string;
  readonly #sql: PaceStatements;

  constructor(account: string, sql: PaceStatements) {
    this.#account = account;
    this.#sql = sql;
  }

  read(): AccountRow {
    const row = this.#sql.read.get(this.#account) ?? { held_until: 0, limit_shown: null, highs_in_a_row: 0 };
    const { held_until, limit_shown, highs_in_a_row } = row;
    return {
      heldUntil: Number(held_until),
      limitShown: limit_shown === null ? undefined : Number(limit_shown),
      highsInARow: Number(highs_in_a_row),
    };
  }

  write({ heldUntil, limitShown, highsInARow }: AccountRow): void {
    this.#sql.write.run(this.#account, heldUntil, limitShown ?? null, highsInARow);
  }

  clean(now: number): void {
    this.#sql.cleanSlots.run(this.#account, now);
    for (const { owner } of this.#sql.gone.all(now)) {
      this.#sql.forgetTickets.run(String(owner));
      this.#sql.forgetOwner.run(String(owner));
    }
  }

  taken(): number {
    return Number(this.#sql.taken.get(this.#account)?.["count"]);
  }

  soonest(open: boolean, count: number): readonly number[] {
    return this.#sql.soonest.all(this.#account, Number(open), count).map(({ free_at }) => Number(free_at));
  }

  putSlot({ id, owner, freeAt, open }: SlotRow): void {
    this.#sql.putSlot.run(id, this.#account, owner, freeAt, Number(open));
  }

  findSlot(id: string): SlotRow | undefined {
    const row = this.#sql.findSlot.get(id);
    return row && { id, owner: String(row["owner"]), freeAt: Number(row["free_at"]), open: row["open"] === 1 };
  }

  removeSlot(id: string): void {
    this.#sql.removeSlot.run(id);
  }

  waiting(priority: Priority): number {
    return Number(this.#sql.waiting.get(this.#account, priority)?.["count"]);
  }

  ahead({ id, priority, first, place }: PaceTicket): number {
    const currentPlace = this.#placeOf(id) ?? place ?? Number.MAX_SAFE_INTEGER;
    return Number(this.#sql.ahead.get(this.#account, priority, Number(first), Number(first), currentPlace)?.["count"]);
  }

  enter({ id, owner, priority, first, place }: PaceTicket, now: number): number {
    this.#sql.alive.run(owner, now + GONE_AFTER_MS);
    const entered = this.#placeOf(id);
    if (entered !== undefined) return entered;
    return Number(this.#sql.enter.get(place ?? null, id, this.#account, owner, priority, Number(first))?.["place"]);
  }

  leave(ticket: string): void {
    this.#sql.leave.run(ticket);
  }

  hasOthers(owner: string): boolean {
    return this.#sql.others.get(this.#account, owner, this.#account, owner)?.["others"] === 1;
  }

  plan({ period, sent = 0, sentInAll = 0, limit }: PlanNews): PlanUse {
    const known = this.#sql.plan.get(this.#account, period) ?? { sent: 0, plan_limit: 0 };
    const use = {
      sent: Math.max(Number(known["sent"]) + sent, sentInAll),
      limit: limit ?? Number(known["plan_limit"]),
    };
    this.#sql.forgetPlans.run(this.#account, period, period);
    this.#sql.writePlan.run(this.#account, period, use.sent, use.limit);
    return use;
  }

  #placeOf(id: string): number | undefined {
    const row = this.#sql.find.get(id);
    return row && Number(row["place"]);
  }
}

/** An account's rows at a time, for a step that writes nothing: it skips what `clean` would forget. */
export class SqliteRowsAt extends SqliteRows {
  constructor(
    private readonly account: string,
    private readonly sql: PaceStatements,
    private readonly now: number,
  ) {
    super(account, sql);
  }

  override clean(): void {
    // Writes nothing.
  }

  override taken(): number {
    return Number(this.sql.takenAt.get(this.account, this.now)?.["count"]);
  }

  override soonest(open: boolean, count: number): readonly number[] {
    return this.sql.soonestAt.all(this.account, Number(open), this.now, count).map(({ free_at }) => Number(free_at));
  }

  override waiting(priority: Priority): number {
    return Number(this.sql.waitingAt.get(this.account, priority, this.now)?.["count"]);
  }
}
