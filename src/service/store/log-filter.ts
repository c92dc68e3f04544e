import type { LogStatus, LogTransport } from "../../api/contract/v4/logs.js";
import { Conditions } from "./conditions.js";
import { statusBits } from "./log-status.js";

/** Which log entries are meant: those that fulfil every member that is there. */
export interface LogFilter {
  /** Addresses in any case: whole ones for listing and counting, parts of one for searching. */
  readonly sender?: string | undefined;
  readonly recipient?: string | undefined;
  readonly forward?: string | undefined;
  /** Whole addresses in lower case, one of which sent or got the mail. */
  readonly between?: readonly string[] | undefined;
  /** Entries that have an event of one of these. */
  readonly status?: readonly LogStatus[] | undefined;
  readonly transport?: LogTransport | undefined;
  readonly times?: TimeRange | undefined;
}

/** Milliseconds since 1970. */
export interface TimeRange {
  /** The first that belongs to it. */
  readonly from?: number | undefined;
  /** The first that no longer does. */
  readonly until?: number | undefined;
}

/** The filter, with whole addresses, as conditions on `log_entries`; `horizon` is the time from which entries are kept. */
export function logConditions(domainId: number, horizon: number, filter: LogFilter): Conditions {
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
    where.add(`(sender_key ${oneOfThem} OR recipient_key ${oneOfThem})`, addresses, addresses);
  }
  return where;
}
