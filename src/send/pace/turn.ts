import type { RateLimit } from "../../api/calls/rate-limit.js";
import type { Priority } from "./priority.js";

/** Everything that decides whose turn it is at one moment. Times are milliseconds of the store's own clock. */
export interface Situation {
  readonly now: number;
  /** The service answered 429: nothing is sent before this time. */
  readonly heldUntil: number;
  readonly limit: number;
  readonly windowMs: number;
  /** Number of taken slots. */
  readonly taken: number;
  /** When the next taken slots become free, as far as is known: in order, at most `count`. */
  soonest(count: number): readonly number[];
  readonly priority: Priority;
  /** How many of the same priority wait before it. */
  readonly ahead: number;
  /** How many of the other priority wait. */
  readonly others: number;
  /** How many times in a row a high one went first while a normal one waited. */
  readonly highsInARow: number;
}

export interface Turn {
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
export function turnOf(situation: Situation): Turn {
  const { now, limit, windowMs, priority, ahead, others, highsInARow } = situation;
  const normalsTurn = highsInARow >= Math.max(1, limit - 1) && (priority === "normal" || others > 0);
  const overdue = normalsTurn && priority === "normal" && ahead === 0;
  const before = ahead + (priority === "high" ? Number(normalsTurn) : overdue ? 0 : others);
  const reserved = priority === "high" || overdue ? 0 : reservedSlots(limit);

  const free = freeTimes(situation, before + 1 + reserved);
  const spacing = (windowMs / limit) * SPACING_SLACK;
  const leavesRoom = free.slice(before).map((time, urgent) => time - urgent * spacing);
  const at = Math.max(now, ...leavesRoom);
  return { at, come: before === 0 && at <= now };
}

/** When the next slots may be used, assuming each is used as soon as possible. */
function freeTimes(situation: Situation, count: number): readonly number[] {
  const { limit, windowMs, taken } = situation;
  const earliest = Math.max(situation.now, situation.heldUntil);
  const open = limit - taken;
  const known = count > open ? situation.soonest(count - open) : [];
  const times: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const cooling = n < open ? earliest : known[n - open];
    times.push(cooling === undefined ? (times[n - limit] ?? earliest) + windowMs : Math.max(earliest, cooling));
  }
  return times;
}

/**
 * The service's limit according to an answer. Undefined if the answer has none, or if the service counts nothing, not
 * even the request that it answers.
 */
export function limitShown({ limit, remaining }: RateLimit): number | undefined {
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
export function foreignRequests(
  { limit: shown = 0, remaining = shown }: RateLimit,
  { limit, taken, refused }: { readonly limit: number; readonly taken: number; readonly refused: boolean },
): number {
  const foreign = shown - remaining - taken - Math.max(0, shown - limit) - Number(refused);
  return Math.min(Math.max(0, foreign), FOREIGN_MAX);
}
