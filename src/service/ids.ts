import { randomBytes, randomUUID } from "node:crypto";

/** A log id: `<timestamp digits>.<hex>` (version 4, part 2). */
export function newLogId(now: number): string {
  return `${now}.${randomBytes(8).toString("hex")}`;
}

export function newEventId(): string {
  return randomUUID();
}

/** A Message-ID as RFC 5322 writes it, angle brackets included: in the log as in the header. */
export function newMessageId(domain: string): string {
  return `<${randomUUID()}@${domain}>`;
}
