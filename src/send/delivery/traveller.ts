import type { Priority } from "../pace/priority.js";

/** What has to be known of somebody who wants to send, to say when. */
export interface Traveller {
  readonly priority: Priority;
  /** Whether it has more time than an outage of some seconds takes: what is queued. */
  readonly patient: boolean;
  /** Whether an unknown outcome of it is no burden to anybody: it would be sent again anyway. */
  readonly harmless: boolean;
  /** By `clock.now()`; it cannot wait longer. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}
