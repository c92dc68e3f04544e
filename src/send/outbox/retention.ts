import { type Duration, readDuration } from "../duration.js";
import type { Clock } from "../clock.js";
import type { OutboxChange, OutboxState } from "./store.js";

/** How long an outbox keeps things: milliseconds, or a duration such as `90s`, `10m`, `12h`, `7d`. */
export interface RetentionOptions {
  /** For how long, once a message is decided, its key sends nothing else. Default `30d`. */
  readonly keepKeys?: Duration;
  /**
   * Addresses, variables, bodies and attachments of what was accepted, expired or discarded, and the text of its key.
   * 0: they go in the moment in which it is. Default `1d`, for looking into what was sent.
   */
  readonly keepContents?: Duration;
  /** The same of what was parked or rejected: it can be retried as long as they are kept. Default `30d`. */
  readonly keepUndecided?: Duration;
}

/** In milliseconds. */
export interface Retention {
  readonly keys: number;
  readonly contents: number;
  readonly undecided: number;
}

/** @throws {ConfigurationError} One is no duration. */
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

export type Change = Omit<OutboxChange, "at" | "dropContents">;

/** The change with its moment; where contents are not kept at all, they go with it. */
export function changeNow(change: Change, { clock, retention }: { clock: Clock; retention: Retention }): OutboxChange {
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
