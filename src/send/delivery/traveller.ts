import type { Priority } from "../pace/priority.js";

/** What the scheduler needs to know about a pending send. */
export interface Traveller {
  readonly priority: Priority;
  /** Whether it can outlast an outage of a few seconds: queued messages can. */
  readonly patient: boolean;
  /** Whether an unknown outcome does no harm, because it would be sent again anyway. */
  readonly harmless: boolean;
  /** By `clock.now()`; it cannot wait longer. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}
