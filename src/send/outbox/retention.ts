import { type Clock, type Duration, readDuration } from "../clock.js";
import type { OutboxChange, OutboxState } from "../store/outbox.js";
import type { OutboxContext } from "./context.js";

/** How long an outbox keeps data: milliseconds, or a duration such as `90s`, `10m`, `12h`, `7d`. */
export interface RetentionOptions {
  /** How long after a message is decided its key sends nothing else. Default `30d`. */
  readonly keepKeys?: Duration;
  /**
   * Addresses, variables, bodies and attachments of accepted, expired and discarded messages, and the text of their
   * keys. 0 deletes them at once. Default `1d`, so that you can look up what was sent.
   */
  readonly keepContents?: Duration;
  /** The same for parked and rejected messages, which can be retried as long as they are kept. Default `30d`. */
  readonly keepUndecided?: Duration;
}

/** In milliseconds. */
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
}: RetentionOptions): Retention {
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
