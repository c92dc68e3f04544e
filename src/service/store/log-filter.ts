import type { LogStatus, LogTransport } from "../../api/contract/v4/logs.js";
import { Conditions } from "./page.js";

/** Bits for the statuses of an entry's events. They are stored in databases, so they must never change. */
const bits: Readonly<Record<LogStatus, number>> = {
  QUEUED: 1,
  DELIVERED: 2,
  "SOFT-BOUNCE": 4,
  "HARD-BOUNCE": 8,
  BOUNCED: 16,
  REFUSED: 32,
};

export function statusBits(statuses: readonly LogStatus[]): number {
  return statuses.reduce((sum, status) => sum | bits[status], 0);
}

/** Which log entries to select: those that meet every member that is set. */
export interface LogSelection {
  /** Addresses, case-insensitive: whole ones for listing and counting, substrings for searching. */
  readonly sender?: string | undefined;
  readonly recipient?: string | undefined;
  readonly forward?: string | undefined;
  /** Whole addresses as written, one of which sent or received the email. */
  readonly between?: readonly string[] | undefined;
  /** Entries that have an event with one of these statuses. */
  readonly status?: readonly LogStatus[] | undefined;
  readonly transport?: LogTransport | undefined;
  readonly times?: TimeRange | undefined;
}

/** In milliseconds since 1970. */
export interface TimeRange {
  /** Inclusive start. */
  readonly from?: number | undefined;
  /** Exclusive end. */
  readonly until?: number | undefined;
}

/**
 * The filter, with whole addresses, as conditions on `log_entries`. `horizon` is the time from which entries are kept.
 */
export function logConditions(domainId: number, horizon: number, filter: LogSelection): Conditions {
  const { from = horizon, until } = filter.times ?? {};
  const where = new Conditions()
    .add("domain_id = ?", domainId)
    .add("created_at >= ?", Math.max(from, horizon))
    .addGiven("created_at < ?", until)
    .addGiven("sender_key = ?", filter.sender?.toLowerCase())
    .addGiven("recipient_key = ?", filter.recipient?.toLowerCase())
    .addGiven("forward_key = ?", filter.forward?.toLowerCase())
    .addGiven("statuses & ? <> 0", filter.status && statusBits(filter.status))
    .addGiven("transport = ?", filter.transport);
  if (filter.between) {
    const addresses = JSON.stringify(filter.between);
    const oneOfThem = "IN (SELECT value FROM json_each(?))";
    where.add(`(sender_email ${oneOfThem} OR recipient_email ${oneOfThem})`, addresses, addresses);
  }
  return where;
}
