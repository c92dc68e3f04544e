import type { OutboundEmail } from "../../api/resources/v4/emails.js";
import type { Clock } from "../clock.js";
import type { Courier } from "../delivery/courier.js";
import type { Problem } from "../errors.js";
import type { Publish } from "../events/events.js";
import type { Priority } from "../pace/priority.js";
import type { Retention } from "./retention.js";
import type { OutboxStore } from "./store.js";

/** What all parts of an outbox work with. */
export interface OutboxContext {
  readonly store: OutboxStore;
  readonly target: string;
  readonly courier: Courier;
  readonly pace: { expectedWait(priority: Priority): number | Promise<number> };
  readonly clock: Clock;
  readonly publish: Publish;
  readonly retention: Retention;
  /** What stands against a message that is about to leave, though nothing did when it was queued. */
  readonly check?: ((email: OutboundEmail) => Promise<readonly Problem[]>) | undefined;
  /** How long a process that says nothing is believed to be alive. */
  readonly leaseMs: number;
  /** Is told of what went wrong beside any message; the work goes on. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds between two looks at what other processes queued or left. */
export const POLL_MS = 1_000;

const TROUBLE_MS = 1_000;
/** Longer than this nobody waits for the service or the store to be well again. */
export const TROUBLE_MAX_MS = 60_000;

/** Milliseconds until the next try, where as many before it found the service or the store in trouble. */
export function troubleWait(troubles: number): number {
  return Math.min(TROUBLE_MS * 2 ** troubles, TROUBLE_MAX_MS);
}
