import { randomUUID } from "node:crypto";

/** A log id: `<timestamp digits>.<hex>` (version 4, part 2). */
export function newLogId(now: number): string {
  // Uses a UUID because those are generated in advance: sixteen digits after its version.
  return `${now}.${randomUUID().replaceAll("-", "").slice(-16)}`;
}

/** When a log id was created, in ms since 1970. */
export function timeOfLogId(id: string): number {
  return Number(id.split(".")[0]);
}

/** A UUID of version 7. Later ones sort after earlier ones, so that the index grows at its end. */
export function newEventId(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice("xxxxxxxx-xxxx-4".length)}`;
}

/** A Message-ID as in RFC 5322, including angle brackets, for both the log and the header. */
export function newMessageId(domain: string): string {
  return `<${randomUUID()}@${domain}>`;
}

/** A time as version 4 shows it: ISO 8601 in UTC, in whole seconds (part 2). */
export function isoSeconds(time: number): string {
  return `${new Date(time).toISOString().slice(0, -".000Z".length)}Z`;
}
