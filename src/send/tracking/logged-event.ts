import type { LogStatus } from "../../api/contract/v4/logs.js";

/** Something that happened to an email, as the receiving server reported it. */
export interface LoggedEvent {
  readonly id: string;
  /** Milliseconds since 1970, on the service's clock, which shows whole seconds. */
  readonly at: number;
  readonly status: LogStatus;
  /** The SMTP code. */
  readonly code: number;
  /** The server's own text. It may contain the address. */
  readonly message: string;
}

/** The order of events within the same second. */
const stages: Readonly<Record<LogStatus, number>> = {
  QUEUED: 0,
  "SOFT-BOUNCE": 1,
  DELIVERED: 2,
  REFUSED: 3,
  "HARD-BOUNCE": 3,
  BOUNCED: 3,
};

/** An event as the log has it: its status may be one that the service's documentation does not list. */
export type ReadEvent = Omit<LoggedEvent, "status"> & { readonly status: string };

/**
 * Each event once, in the order in which they happened. Events with an undocumented status are left out, because their
 * meaning for a message is unknown.
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

/** Whether delivery has ended with it. */
export function isFinal(status: LogStatus): boolean {
  return stages[status] > 1;
}

/** Whether it means that the email did not arrive, temporarily or permanently. */
export function isBounce(status: LogStatus): boolean {
  return status !== "QUEUED" && status !== "DELIVERED";
}
