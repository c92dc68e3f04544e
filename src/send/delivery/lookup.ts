import { type Backoff, backoff } from "../../api/calls/timing.js";
import { CallError, isRateLimited } from "../../api/errors.js";
import { sleep } from "../clock.js";
import { wasAnswered } from "./api-transport.js";
import type { TimeSpan } from "./connection.js";
import type { LedgerEntry, NewLedgerEntry } from "../store/ledger.js";
import { bare, type Sent } from "../parcel.js";
import type { DeliveryLog, LoggedMail, LogWindow } from "./delivery-log.js";
import { asShown, type CourierContext } from "./context.js";

/** A request of the ledger, with its times by `clock.time()`. */
export interface KnownRequest extends NewLedgerEntry {
  readonly startedAt: number;
}

export function knownRequest(
  entry: LedgerEntry,
  { clock }: Pick<CourierContext, "clock">,
): KnownRequest & { readonly aliveUntil: number } {
  const now = clock.time();
  return { ...entry, startedAt: now - entry.ageMs, aliveUntil: now + entry.aliveForMs };
}

/** A request with an unknown outcome. */
export interface DoubtfulRequest {
  readonly wanted: ExpectedEntry;
  /** The address that only this message goes to, if there is one. */
  readonly correlation: string | undefined;
  readonly entry: KnownRequest;
  /** When it was given up, by `clock.time()`: it may have arrived as late as that, or slightly later. */
  readonly endedAt: number;
}

export interface LookOptions {
  /** When to stop, by `clock.time()`. Default: when the log would show it and could be read. */
  readonly until?: number | undefined;
  readonly signal: AbortSignal;
}

/** The log does not have it, or could not be read; or there is none. */
export type NotFound = "not there" | "not read" | "no log";

/** Between lookups. */
const PAUSE: Backoff = { firstMs: 1000, longestMs: 15_000 };
/** The pause when the message should have appeared, but the log cannot be read. */
const OUTAGE_PAUSE_MS = 60_000;
/** After this long without a readable log, the lookup gives up: someone must decide. */
const PATIENCE_MS = 2 * 60 * 60 * 1000;
/** How long after it was given up a request may still arrive. */
const LATE_MS = 10 * 60 * 1000;

/**
 * Looks a request up in the delivery log, repeatedly, until it appears or should have appeared.
 *
 * @returns The message, claimed for the parcel; otherwise the result of the last lookup.
 * @throws The signal's reason, when it is aborted.
 */
export async function findInLog(
  doubt: DoubtfulRequest,
  { until, signal }: LookOptions,
  context: CourierContext,
): Promise<Sent | NotFound> {
  const { clock, logDelayMs, connection } = context;
  const { log } = connection;
  if (log === undefined) return "no log";
  const showsAt = doubt.endedAt + logDelayMs;
  const end = until ?? showsAt + PATIENCE_MS;
  for (let looks = 1; ; looks += 1) {
    const startedAt = clock.time();
    const result = await look(doubt, log, signal, context);
    if (typeof result === "object") return result;
    const now = clock.time();
    if ((startedAt >= showsAt && result !== "not read yet") || now >= end)
      return result === "not there" ? "not there" : "not read";
    // The lookup at the moment when the message should have appeared is the last one.
    const next =
      startedAt < showsAt ? Math.min(now + backoff(looks, PAUSE), Math.max(now, showsAt)) : now + OUTAGE_PAUSE_MS;
    await sleep(clock, Math.min(next, end) - now, signal);
  }
}

async function look(
  { wanted, correlation, entry, endedAt }: DoubtfulRequest,
  log: DeliveryLog,
  signal: AbortSignal,
  { connection: { time }, ledger, clock, breaker }: CourierContext,
): Promise<Sent | NotFound | "not read yet"> {
  const span = () => time.toService({ from: entry.startedAt, until: endedAt + LATE_MS });
  const isWanted = ({ messageId }: Sent) => bare(messageId) === bare(wanted.messageId ?? "");
  signal.throwIfAborted();
  let candidates;
  try {
    if (correlation !== undefined)
      candidates = await sentWithin({ from: span().from, recipient: correlation }, log, signal);
    else if (wanted.messageId === undefined) candidates = await candidatesFor(wanted, log, span, signal);
    else candidates = (await sentWithin({ ...span(), sender: wanted.sender }, log, signal)).filter(isWanted);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof CallError)) throw error;
    if (!wasAnswered(error)) return "not read yet";
    breaker.noteSign("log");
    // If the log may not be read or cannot be understood, waiting won't help.
    return isRateLimited(error) ? "not read yet" : "not read";
  }
  breaker.noteSign("log");
  const { id, startedAt } = entry;
  const claim = {
    id,
    likeness: correlation ?? entry.likeness,
    candidates,
    rivalsWithinMs: clock.time() - startedAt + LATE_MS,
  };
  const claimed = await ledger.claim(claim);
  return typeof claimed === "object" ? claimed : "not there";
}

/** A message that may have been sent, as the delivery log would show it. */
export interface ExpectedEntry {
  /** The sender's full address. */
  readonly sender: string;
  /** All recipients, in lower case, sorted. */
  readonly recipients: readonly string[];
  /** The log's subject is one of these; empty if the subject is not known. */
  readonly subjects: () => readonly string[];
  /** Set if it is known in advance: then it decides alone. */
  readonly messageId?: string;
}

const SECOND_MS = 1000;

/**
 * The log's messages that may be the wanted one, oldest first: from this sender, in this time span, to exactly these
 * recipients, with this subject. The log has one entry per recipient, and may not show all of them yet.
 *
 * @param spanOf Returns the time span as known when it is called: the first answer reveals the service's clock.
 */
async function candidatesFor(
  { sender, recipients, subjects }: ExpectedEntry,
  log: DeliveryLog,
  spanOf: () => TimeSpan,
  signal: AbortSignal | undefined,
): Promise<Sent[]> {
  const [recipient = ""] = recipients;
  const first = await all(log.within({ ...spanOf(), sender, recipient }, signal));
  const { from, until } = spanOf();
  const wanted = subjects();
  const matches = first.filter(
    ({ at, subject }) =>
      at >= wholeSecond(from) && at <= until && (wanted.length === 0 || wanted.includes(asShown(subject))),
  );
  if (matches.length === 0) return [];
  const times = matches.map(({ at }) => at);
  const around = { from: Math.min(...times) - SECOND_MS, until: Math.max(...times) + SECOND_MS };
  const entries = await all(log.within({ ...around, sender }, signal));
  return matches
    .toSorted((a, b) => a.at - b.at)
    .filter(({ messageId }) => sameList(recipientsOf(entries, messageId), recipients))
    .map(({ id, messageId }) => ({ outcome: "accepted", id, messageId }));
}

async function sentWithin(window: LogWindow, log: DeliveryLog, signal: AbortSignal | undefined): Promise<Sent[]> {
  const entries = await all(log.within(window, signal));
  return entries.map(({ id, messageId }) => ({ outcome: "accepted", id, messageId }));
}

function recipientsOf(entries: readonly LoggedMail[], messageId: string): string[] {
  const own = entries.filter((entry) => entry.messageId === messageId);
  return [...new Set(own.map(({ recipient }) => recipient.toLowerCase()))].toSorted();
}

function sameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

function wholeSecond(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
