import type { LogStatus } from "../../api/contract/v4/logs.js";

/** Something that happened to a mail, as the receiving server said it. */
export interface LoggedEvent {
  readonly id: string;
  /** Milliseconds since 1970, on the service's clock, which shows whole seconds. */
  readonly at: number;
  readonly status: LogStatus;
  /** The SMTP code. */
  readonly code: number;
  /** The server's own words. They may hold the address. */
  readonly message: string;
}

/** What of the same second comes first. */
const stages: Readonly<Record<LogStatus, number>> = {
  QUEUED: 0,
  "SOFT-BOUNCE": 1,
  DELIVERED: 2,
  REFUSED: 3,
  "HARD-BOUNCE": 3,
  BOUNCED: 3,
};

/** An event as the log has it: its status may be one that the service's document does not list. */
export type ReadEvent = Omit<LoggedEvent, "status"> & { readonly status: string };

/**
 * Each event once, in the order in which they happened. Events with a status that the document does not list are left
 * out: what they mean for a message is unknown.
 */
export function inOrder(events: readonly ReadEvent[]): LoggedEvent[] {
  const once = [...new Map(events.map((event) => [event.id, event])).values()];
  return once
    .filter(isListed)
    .map(({ id, at, status, code, message }) => ({ id, at, status, code, message }))
    .toSorted((a, b) => a.at - b.at || stages[a.status] - stages[b.status]);
}

function isListed(event: ReadEvent): event is LoggedEvent {
  return Object.hasOwn(stages, event.status);
}

/** Whether nothing is tried any more after it. */
export function isFinal(status: LogStatus): boolean {
  return stages[status] > 1;
}

/** Whether it says that the mail did not arrive, for now or for ever. */
export function isBounce(status: LogStatus): boolean {
  return status !== "QUEUED" && status !== "DELIVERED";
}
