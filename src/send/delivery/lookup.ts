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
  /** Maximum milliseconds until an entry appears. */
  readonly logDelayMs: number;
  /** Called when the log could be read. */
  readonly onRead: () => void;
}

/** A request with an unknown outcome. */
export interface Doubt {
  readonly wanted: Wanted;
  /** The address that only this message goes to, if there is one. */
  readonly correlation: string | undefined;
  readonly entry: LedgerEntry;
  /** When it was given up, by `clock.time()`: it may have arrived as late as that, or slightly later. */
  readonly endedAt: number;
}

export interface LookOptions {
  /** When to stop, by `clock.time()`. Default: when the log would show it and could be read. */
  readonly until?: number;
  readonly signal: AbortSignal;
}

/** The log does not have it, or could not be read. */
export type NotFound = "not there" | "not read";

/** Milliseconds between lookups. */
const PAUSES = [1000, 2000, 4000, 8000];
const LONGEST_PAUSE_MS = 15_000;
/** The pause when the message should have appeared, but the log cannot be read. */
const OUTAGE_PAUSE_MS = 60_000;
/** After this long without a readable log, the lookup gives up: someone must decide. */
const PATIENCE_MS = 2 * 60 * 60 * 1000;
/** How long after it was given up a request may still arrive. */
const LATE_MS = 10 * 60 * 1000;

/**
 * Looks a request up in the delivery log, repeatedly, until it appears or should have appeared.
 *
 * @example
 * const found = await lookUp({ wanted, correlation, entry, endedAt: clock.time() }, { signal }, options);
 *
 * @returns The message, claimed for the parcel; otherwise the result of the last lookup.
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
    // The lookup at the moment when the message should have appeared is the last one.
    const next = startedAt < showsAt ? Math.min(now + pause, Math.max(now, showsAt)) : now + OUTAGE_PAUSE_MS;
    await sleep(clock, Math.min(next, end) - now, signal);
  }
}

async function look(
  { wanted, correlation, entry, endedAt }: Doubt,
  signal: AbortSignal,
  { connection: { log, time }, ledger, clock, onRead }: LookupOptions,
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
    onRead();
    // If the log may not be read or cannot be understood, waiting won't help.
    return isRateLimited(error) ? "not read yet" : "not read";
  }
  onRead();
  const { id, startedAt } = entry;
  const claim = { id, likeness: correlation ?? entry.likeness, candidates, rivalsSince: startedAt - LATE_MS };
  const claimed = await ledger.claim(claim, clock.time());
  return typeof claimed === "object" ? claimed : "not there";
}
