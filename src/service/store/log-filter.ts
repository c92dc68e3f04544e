import type { LogStatus, LogTransport } from "../../api/contract/v4/logs.js";
import { Conditions } from "./conditions.js";

/** Which log entries are meant: those that fulfil every member that is there. */
export interface LogFilter {
  readonly sender?: string | undefined;
  readonly recipient?: string | undefined;
  readonly forward?: string | undefined;
  /** Whether the addresses are whole or a part of one; in any case either way. */
  readonly addresses: "exact" | "substring";
  /** Entries that have an event of one of these. */
  readonly status?: readonly LogStatus[] | undefined;
  readonly transport?: LogTransport | undefined;
  /** Milliseconds since 1970; the entry's own time is later. */
  readonly after?: number | undefined;
  /** Milliseconds since 1970; the entry's own time is earlier. */
  readonly before?: number | undefined;
}

/** The filter as conditions on `log_entries`. */
export function logConditions(domainId: number, filter: LogFilter): Conditions {
  const address = (column: string) => (filter.addresses === "exact" ? `${column} = ?` : `instr(${column}, ?) > 0`);
  return new Conditions()
    .add("domain_id = ?", domainId)
    .addGiven(address("sender_key"), filter.sender?.toLowerCase())
    .addGiven(address("recipient_key"), filter.recipient?.toLowerCase())
    .addGiven(address("forward_key"), filter.forward?.toLowerCase())
    .addGiven(
      "EXISTS (SELECT 1 FROM log_events WHERE entry_seq = log_entries.seq AND status IN (SELECT value FROM json_each(?)))",
      filter.status && JSON.stringify(filter.status),
    )
    .addGiven("transport = ?", filter.transport)
    .addGiven("created_at >= ?", filter.after === undefined ? undefined : shownSecond(filter.after) + 1_000)
    .addGiven("created_at < ?", filter.before === undefined ? undefined : shownSecond(filter.before - 1) + 1_000);
}

/** Entries are shown with their time's whole seconds, and a filter is about what is shown. */
function shownSecond(time: number): number {
  return Math.floor(time / 1_000) * 1_000;
}
