import { randomUUID } from "node:crypto";

/** A log id: `<timestamp digits>.<hex>` (version 4, part 2). */
export function newLogId(now: number): string {
  // Of a UUID, because those are drawn in advance: sixteen digits behind its version.
  return `${now}.${randomUUID().replaceAll("-", "").slice(-16)}`;
}

/** A UUID of version 7: later ones sort behind earlier ones, so that their index grows at its end. */
export function newEventId(now: number): string {
  const time = now.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice("xxxxxxxx-xxxx-4".length)}`;
}

/** A Message-ID as RFC 5322 writes it, angle brackets included: in the log as in the header. */
export function newMessageId(domain: string): string {
  return `<${randomUUID()}@${domain}>`;
}
