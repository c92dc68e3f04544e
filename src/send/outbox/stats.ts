import type { Priority } from "../pace/priority.js";
import type { OutboxContext } from "./context.js";
import type { OutboxProblem, OutboxState } from "./store.js";

/** The state of an outbox. */
export interface OutboxStats {
  readonly counts: Readonly<Record<OutboxState, number>>;
  /** Queued, and only waiting for their turn. */
  readonly due: number;
  /** How long the oldest queued or sending message has been due, in ms. During an outage, messages stay in sending. */
  readonly oldestDueMs?: number;
  /** Milliseconds until a message queued now would be sent, as far as is known. */
  readonly expectedWaitMs: Readonly<Record<Priority, number>>;
  /** Queued in the same store for another service or domain: this mailer does not send them. */
  readonly elsewhere: number;
  /** Why messages are queued again, parked or rejected: most frequent first, at most 10. */
  readonly problems: readonly OutboxProblem[];
}

const MINUTE_MS = 60_000;

export async function readStats(
  { store, target, pace, clock }: Pick<OutboxContext, "store" | "target" | "pace" | "clock">,
  sendsPerMinute: number,
): Promise<OutboxStats> {
  const now = clock.time();
  const { states, due, oldestDue, elsewhere, problems } = await store.counts(target, now);
  const wait = async (priority: Priority, before: number) =>
    (await pace.expectedWait(priority)) + Math.floor(before / sendsPerMinute) * MINUTE_MS;
  return {
    counts: states,
    due: due.high + due.normal,
    ...(oldestDue === undefined ? {} : { oldestDueMs: now - oldestDue }),
    expectedWaitMs: { high: await wait("high", due.high), normal: await wait("normal", due.high + due.normal) },
    elsewhere,
    problems,
  };
}
