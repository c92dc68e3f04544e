import type { LogEntry, LogStatus } from "../api/index.js";
import type { LogEntryV3 } from "../api/contract/v3/logs.js";
import type { Target } from "./target.js";

/** Which entries of the delivery log to read. */
export interface LogWish {
  /** The recipient's whole address. */
  readonly to: string | undefined;
  /** At least one event has this status. */
  readonly status: LogStatus | undefined;
  /** Only newer entries. */
  readonly since: Date | undefined;
  readonly signal: AbortSignal;
}

/** An entry of either API version, and its line for display. */
export interface ShownEntry {
  readonly id: string;
  readonly line: readonly [time: string, status: string, to: string, subject: string, id: string];
  /** As the service returned it. */
  readonly entry: LogEntry | LogEntryV3;
}

/** The matching entries, newest first. */
export async function* readLog(target: Target, wish: LogWish): AsyncGenerator<ShownEntry> {
  const { domain } = target.environment;
  if (target.version === "v4") {
    const { to, status, since, signal } = wish;
    const filter = {
      ...(to === undefined ? {} : { recipient: to }),
      ...(status === undefined ? {} : { status }),
      ...(since === undefined ? {} : { after: since.toISOString() }),
    };
    for await (const entry of target.client.logs.list(domain, filter, { signal }))
      yield toShownEntry(entry, entry.created_at);
    return;
  }
  for await (const entry of entriesOfV3(target.client, domain, wish))
    if (fits(entry, wish)) yield toShownEntry(entry, timeOf(entry.created));
}

/** Version 3 either lists everything, or searches a time range for a string. */
function entriesOfV3(
  { logs }: (Target & { version: "v3" })["client"],
  domain: string,
  { to, since, signal }: LogWish,
): AsyncIterable<LogEntryV3> {
  if (to === undefined && since === undefined) return logs.list(domain, { signal });
  const filter = {
    after: since ?? 0,
    before: new Date(Date.now() + DAY_MS),
    ...(to === undefined ? {} : { text: to }),
  };
  return logs.search(domain, filter, { signal });
}

/** The service's clock may be ahead of this machine's. */
const DAY_MS = 24 * 60 * 60 * 1000;

function fits({ recipient, events }: LogEntryV3, { to, status }: LogWish): boolean {
  return (
    (to === undefined || recipient.email.toLowerCase() === to.toLowerCase()) &&
    (status === undefined || events.some((event) => event.status === status))
  );
}

function toShownEntry(entry: LogEntry | LogEntryV3, time: string): ShownEntry {
  const { id, events, recipient, subject } = entry;
  return { id, entry, line: [time, events.at(-1)?.status ?? "", recipient.email, subject, id] };
}

/** `created` is in milliseconds, or a date as a string (part 2 of version 3). */
function timeOf(created: LogEntryV3["created"]): string {
  const time = new Date(created);
  return Number.isNaN(time.getTime()) ? String(created) : time.toISOString();
}
