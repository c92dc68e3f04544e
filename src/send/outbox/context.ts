import type { OutboundEmail } from "../../api/resources/emails.js";
import type { Clock } from "../clock.js";
import type { Courier } from "../delivery/courier.js";
import type { Problem } from "../errors.js";
import type { Publish } from "../events/events.js";
import type { Priority } from "../pace/priority.js";
import type { Retention } from "./retention.js";
import type { OutboxStore } from "./store.js";

/** What all parts of an outbox share. */
export interface OutboxContext {
  readonly store: OutboxStore;
  readonly target: string;
  readonly courier: Courier;
  readonly pace: { expectedWait(priority: Priority): number | Promise<number> };
  readonly clock: Clock;
  readonly publish: Publish;
  readonly retention: Retention;
  /** Returns problems of a message that is about to be sent, which it did not have when it was queued. */
  readonly check?: ((email: OutboundEmail) => Promise<readonly Problem[]>) | undefined;
  /** How long a process without a heartbeat counts as alive. */
  readonly leaseMs: number;
  /** Called for problems that don't belong to a message; the work continues. */
  readonly failed: (error: unknown) => void;
}

/** Milliseconds between checks for what other processes queued or left behind. */
export const POLL_MS = 1_000;

const TROUBLE_MS = 1_000;
/** Maximum ms to wait for the service or the store to recover. */
export const TROUBLE_MAX_MS = 60_000;

/** Milliseconds until the next try, given how many tries in a row found the service or the store in trouble. */
export function troubleWait(troubles: number): number {
  return Math.min(TROUBLE_MS * 2 ** troubles, TROUBLE_MAX_MS);
}
