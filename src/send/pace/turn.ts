import type { RateLimit } from "../../api/calls/rate-limit.js";
import type { Priority } from "./priority.js";

/** All that decides whose turn it is, at one moment. Times are milliseconds of the store's own clock. */
export interface Situation {
  readonly now: number;
  /** The service said 429: nothing leaves before. */
  readonly heldUntil: number;
  readonly limit: number;
  readonly windowMs: number;
  /** How many slots are taken. */
  readonly taken: number;
  /** When they are free again, as far as it can be known: the soonest first, as many as asked for or as there are. */
  soonest(count: number): readonly number[];
  readonly priority: Priority;
  /** How many of the same priority wait before it. */
  readonly ahead: number;
  /** How many of the other priority wait. */
  readonly others: number;
  /** How many times in a row a high one was let through while a normal one waited. */
  readonly highsInARow: number;
}

export interface Turn {
  /** When its turn comes, as far as it can be known. */
  readonly at: number;
  /** Whether it has come. */
  readonly come: boolean;
}

/** Slots that are kept for what is urgent. */
function keptSlots(limit: number): number {
  return Math.min(2, Math.floor(limit / 5));
}

/** How much longer than the limit's even spacing one who is urgent may have to wait: requests take some time, too. */
const SPACING_SLACK = 1.1;

/**
 * When one that waits may go. Urgent ones go first, and one that is not urgent leaves them room: it goes when after it the
 * next urgent one finds a slot within a tenth of the window, and the one after that within two tenths. So a burst leaves
 * two slots over, and a queue that never ends uses all ten, evenly spaced. One in `limit` is for who is not urgent.
 */
export function turnOf(situation: Situation): Turn {
  const { now, limit, windowMs, priority, ahead, others, highsInARow } = situation;
  const normalsTurn = highsInARow >= Math.max(1, limit - 1) && (priority === "normal" || others > 0);
  const overdue = normalsTurn && priority === "normal" && ahead === 0;
  const before = ahead + (priority === "high" ? Number(normalsTurn) : overdue ? 0 : others);
  const kept = priority === "high" || overdue ? 0 : keptSlots(limit);

  const free = freeTimes(situation, before + 1 + kept);
  const spacing = (windowMs / limit) * SPACING_SLACK;
  const leavesRoom = free.slice(before).map((time, urgent) => time - urgent * spacing);
  const at = Math.max(now, ...leavesRoom);
  return { at, come: before === 0 && at <= now };
}

/** When the next slot may be used, the one after it, and so on; if all were used as soon as that. */
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
 * The limit that the answer shows, where it is the service's: undefined where there is none, or where nothing is counted,
 * not even the request that it is the answer to.
 */
export function limitShown({ limit, remaining }: RateLimit): number | undefined {
  return limit !== undefined && limit > 0 && remaining !== undefined && remaining < limit ? limit : undefined;
}

/** Each takes a slot of its own, and headers may say anything. */
const FOREIGN_MAX = 1000;

/**
 * How many requests the service has counted that are not ours. What it takes beyond our own limit is left to others.
 *
 * @param taken Our slots, each of which it may have counted.
 * @param refused Whether it is a 429. The service says when to come again: one slot is left for that.
 */
export function foreignRequests(
  { limit: shown = 0, remaining = shown }: RateLimit,
  { limit, taken, refused }: { readonly limit: number; readonly taken: number; readonly refused: boolean },
): number {
  const foreign = shown - remaining - taken - Math.max(0, shown - limit) - Number(refused);
  return Math.min(Math.max(0, foreign), FOREIGN_MAX);
}
