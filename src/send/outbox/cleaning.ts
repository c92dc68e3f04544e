import type { OutboxContext } from "./context.js";

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
