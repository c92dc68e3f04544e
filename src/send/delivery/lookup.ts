import { CallError, isRateLimited } from "../../api/errors.js";
import { type Clock, sleep } from "../clock.js";
import { candidatesFor, correlated, type Wanted } from "./candidates.js";
import type { Connection } from "./connection.js";
import type { Ledger, LedgerEntry } from "./ledger.js";
import { wasAnswered } from "./outcome.js";
import type { Sent } from "./parcel.js";

export interface LookupOptions {
  readonly connection: Connection;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** How long an entry may take to show. */
  readonly logDelayMs: number;
  /** Told when the log could be read. */
  readonly heard: () => void;
}

/** A request of which nobody knows whether it arrived. */
export interface Doubt {
  readonly wanted: Wanted;
  /** The address that only this mail goes to, if there is one. */
  readonly correlation: string | undefined;
  readonly entry: LedgerEntry;
  /** When it was given up, by `clock.time()`: it may have arrived as late as that, or a little later. */
  readonly endedAt: number;
}

export interface LookOptions {
  /** When it has to end, by `clock.time()`; default: when the log would show it, and could be read. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** The log does not have it, or could not be read. */
export type NotFound = "not there" | "not read";

/** Milliseconds between two looks. */
const PAUSES = [1000, 2000, 4000, 8000];
const LONGEST_PAUSE_MS = 15_000;
/** When it would have to be there, and the log cannot be read. */
const OUTAGE_PAUSE_MS = 60_000;
/** A log that cannot be read for so long is not waited for: somebody has to decide. */
const PATIENCE_MS = 2 * 60 * 60 * 1000;
/** How much later than it was given up a request may still arrive. */
const LATE_MS = 10 * 60 * 1000;

/**
 * Looks a request up in the delivery log, again and again, until it is there or would have to be.
 *
 * @example
 * const found = await lookUp({ wanted, correlation, entry, endedAt: clock.time() }, { signal }, options);
 *
 * @returns The mail, claimed for the parcel; otherwise what the last look came to.
 * @throws The signal's reason, when it is aborted.
 */
export async function lookUp(
  doubt: Doubt,
  { until, signal }: LookOptions,
  options: LookupOptions,
): Promise<Sent | NotFound> {
  const { clock, logDelayMs } = options;
  const showsAt = doubt.endedAt + logDelayMs;
  const end = until ?? showsAt + PATIENCE_MS;
  for (let looks = 0; ; looks += 1) {
    const startedAt = clock.time();
    const result = await look(doubt, signal, options);
    if (typeof result === "object") return result;
    const now = clock.time();
    if ((startedAt >= showsAt && result !== "not read yet") || now >= end)
      return result === "not there" ? "not there" : "not read";
    const pause = PAUSES[looks] ?? LONGEST_PAUSE_MS;
    // A look at the moment when it would have to be there is the last one.
    const next = startedAt < showsAt ? Math.min(now + pause, Math.max(now, showsAt)) : now + OUTAGE_PAUSE_MS;
    await sleep(clock, Math.min(next, end) - now, signal);
  }
}

async function look(
  { wanted, correlation, entry, endedAt }: Doubt,
  signal: AbortSignal,
  { connection: { log, time }, ledger, clock, heard }: LookupOptions,
): Promise<Sent | NotFound | "not read yet"> {
  const span = () => time.toService({ from: entry.startedAt, until: endedAt + LATE_MS });
  signal.throwIfAborted();
  let candidates;
  try {
    candidates =
      correlation === undefined
        ? await candidatesFor(wanted, log, span, signal)
        : await correlated(correlation, log, span(), signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CallError)) throw error;
    if (!wasAnswered(error)) return "not read yet";
    heard();
    // Who may not read the log, or cannot understand it, will not learn more by waiting.
    return isRateLimited(error) ? "not read yet" : "not read";
  }
  heard();
  const { id, startedAt } = entry;
  const claim = { id, likeness: correlation ?? entry.likeness, candidates, rivalsSince: startedAt - LATE_MS };
  const claimed = await ledger.claim(claim, clock.time());
  return typeof claimed === "object" ? claimed : "not there";
}
