import type { PaceAccount, PaceTicket } from "../send/store/pace.js";
import type { AccountRow, SlotRow } from "../send/store/pace-steps.js";
import type { Priority } from "../send/parcel.js";
import type { Statement } from "./database.js";

/** What a step reads of an account. Times are ms by the account's own clock. */
export interface AccountReading extends Omit<AccountRow, "limitShown"> {
  readonly now: number;
  readonly clockOffset: number;
  /** Whether the database's clock was set back since the last change. */
  readonly wentBack: boolean;
  readonly limitShown: number | null;
  readonly lastPlace: number;
  /** The slot with the id that the step is about. */
  readonly slot?: SlotRow | null;
  /** How many other slots are not free. */
  readonly taken?: number;
  /** Whether there are free slots or dead owners to forget. */
  readonly hasGone?: boolean;
  readonly turn?: {
    readonly waiting: Readonly<Record<Priority, number>>;
    readonly ahead: number;
    /** Of the step's ticket, if it has entered. */
    readonly place: number | null;
    /** Until when the ticket's owner counts as alive. */
    readonly aliveUntil: number | null;
    readonly hasOthers: boolean;
    readonly openUntil: readonly number[];
    readonly settledUntil: readonly number[];
  };
}

/** The account's own clock never goes back, and continues if the database's is set back, as after a failover. */
const ACCOUNT = `account AS MATERIALIZED (
    SELECT a.*, greatest(latest, ms + clock_offset) AS now, greatest(clock_offset, latest - ms) AS next_offset
    FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms) AS clock, lettershop.pace_accounts AS a
    WHERE account = $1
  )`;

const ACCOUNT_FIELDS = `'now', now, 'clockOffset', next_offset, 'wentBack', next_offset > clock_offset,
    'heldUntil', held_until, 'limitShown', limit_shown, 'highsInARow', highs_in_a_row, 'lastPlace', last_place`;

const SLOT_FIELD = `'slot', (
      SELECT json_build_object('id', id, 'owner', owner, 'freeAt', free_at, 'open', open)
      FROM lettershop.pace_slots WHERE account = $1 AND id = $2
    )`;

const ALL_SLOTS = `lettershop.pace_slots AS slot WHERE slot.account = $1 AND slot.open IN (false, true)`;

/** Uses the index alone. */
const TAKEN = `(SELECT count(*) FROM ${ALL_SLOTS} AND slot.free_at > now)
      - (SELECT count(*) FROM lettershop.pace_slots WHERE account = $1 AND id = $2 AND free_at > now)`;

const HAS_GONE_FIELD = `'hasGone', EXISTS (SELECT FROM ${ALL_SLOTS} AND slot.free_at <= now)
      OR EXISTS (SELECT FROM lettershop.pace_owners AS owner WHERE owner.account = $1 AND owner.alive_until <= now)`;

const READ_SLOT = `WITH ${ACCOUNT} SELECT json_build_object(${ACCOUNT_FIELDS}, ${SLOT_FIELD})::text FROM account`;

const READ_SLOTS = `WITH ${ACCOUNT}
  SELECT json_build_object(${ACCOUNT_FIELDS}, ${SLOT_FIELD}, 'taken', ${TAKEN}, ${HAS_GONE_FIELD})::text FROM account`;

/**
 * The times of other slots, as many as a forecast may need: for each waiting ticket, and some more. If the service has
 * lowered the limit, more may be taken than that.
 */
const soonest = (isOpen: boolean) => `ARRAY(
      SELECT free_at FROM lettershop.pace_slots AS slot
      WHERE slot.account = $1 AND open = ${isOpen} AND free_at > now AND id <> $2 ORDER BY free_at
      LIMIT (SELECT greatest(0, high + normal + 5 - (max - taken))::bigint FROM waiting, taken)
    )`;

const READ_TURN = `WITH ${ACCOUNT}, taken AS MATERIALIZED (
    SELECT least($6::float8, limit_shown) AS max, ${TAKEN} AS taken FROM account
  ), tickets AS MATERIALIZED (
    SELECT ticket.* FROM account, lettershop.pace_owners AS owner
    JOIN lettershop.pace_tickets AS ticket ON ticket.account = $1 AND ticket.owner = owner.owner
    WHERE owner.account = $1 AND owner.alive_until > now
  ), waiting AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE priority = 'high') AS high, count(*) FILTER (WHERE priority = 'normal') AS normal
    FROM tickets
  ), own AS MATERIALIZED (
    SELECT place FROM tickets WHERE id = $2
  )
  SELECT json_build_object(${ACCOUNT_FIELDS}, ${SLOT_FIELD}, 'taken', taken, ${HAS_GONE_FIELD}, 'turn', json_build_object(
    'waiting', (SELECT row_to_json(waiting) FROM waiting),
    'ahead', (
      SELECT count(*) FROM tickets WHERE priority = $3 AND id <> $2
        AND (first > $4 OR (first = $4 AND place < coalesce((SELECT place FROM own), $5::bigint, ${Number.MAX_SAFE_INTEGER})))
    ),
    'place', (SELECT place FROM own),
    'aliveUntil', (SELECT alive_until FROM lettershop.pace_owners WHERE account = $1 AND owner = $7),
    'hasOthers', EXISTS (SELECT FROM tickets WHERE owner <> $7) OR EXISTS (
      SELECT FROM lettershop.pace_slots AS slot
      WHERE slot.account = $1 AND open = true AND free_at > now AND owner <> $7
    ),
    'openUntil', ${soonest(true)}, 'settledUntil', ${soonest(false)}
  ))::text FROM account, taken`;

/** What a step needs, so that one with a high limit does not read thousands of rows. */
export const readingOf = {
  slot: (account: string, id: string): Statement => ({ sql: READ_SLOT, values: [account, id] }),
  slots: (account: string, id: string): Statement => ({ sql: READ_SLOTS, values: [account, id] }),
  turn: ({ account, limit }: PaceAccount, { id, priority, first, place, owner }: PaceTicket): Statement => ({
    sql: READ_TURN,
    values: [account, id, priority, first, place ?? null, limit, owner],
  }),
  /** The turns of new tickets. */
  state: ({ account, limit }: PaceAccount): Statement => ({
    sql: READ_TURN,
    values: [account, "", "normal", false, null, limit, ""],
  }),
};
