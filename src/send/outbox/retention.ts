import { type Clock, readDuration } from "../clock.js";
import type { OutboxOptions } from "../options.js";
import type { OutboxChange, OutboxState } from "../store/outbox.js";
import type { OutboxContext } from "./context.js";

/** How long an outbox keeps data, in milliseconds. */
export interface Retention {
  readonly keys: number;
  readonly contents: number;
  readonly undecided: number;
}

/** @throws {ConfigurationError} A value is not a duration. */
export function readRetention({
  keepKeys = "30d",
  keepContents = "1d",
  keepUndecided = "30d",
}: OutboxOptions): Retention {
  return {
    keys: readDuration(keepKeys, "outbox.keepKeys"),
    contents: keepContents === 0 ? 0 : readDuration(keepContents, "outbox.keepContents"),
    undecided: keepUndecided === 0 ? 0 : readDuration(keepUndecided, "outbox.keepUndecided"),
  };
}

export type MessageChange = Omit<OutboxChange, "at" | "dropContents">;

/** Adds the time to a change; if contents are not kept at all, they are dropped with it. */
export function changeNow(
  change: MessageChange,
  { clock, retention }: { clock: Clock; retention: Retention },
): OutboxChange {
  return {
    ...change,
    at: clock.time(),
    ...(dropsContents(change.state, retention) ? { dropContents: true } : {}),
  };
}

function dropsContents(state: OutboxState, { contents, undecided }: Retention): boolean {
  if (state === "accepted" || state === "expired" || state === "discarded") return contents === 0;
  return (state === "parked" || state === "rejected") && undecided === 0;
}

const CLEAN_MS = 60_000;

/** Deletes expired data, at most once a minute. */
export function cleaning({ store, target, clock, retention }: OutboxContext): () => Promise<void> {
  /** By `clock.now()`. */
  let cleanAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() < cleanAt) return;
    cleanAt = clock.now() + CLEAN_MS;
    const now = clock.time();
    await store.clean({
      target,
      contentsBefore: now - retention.contents,
      undecidedBefore: now - retention.undecided,
      messagesBefore: now - retention.keys,
    });
  };
}
