import { type Backoff, backoff } from "../../api/calls/timing.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import { ConfigurationError } from "../../errors.js";
import { sleep } from "../clock.js";
import { type MessageStatus, type RecipientStatus, STATUS_IN_WORDS } from "./message-status.js";
import { DeliveryTimeoutError, MessageNotFoundError, NotDeliveredError } from "./errors.js";
import { isFinal } from "../delivery/delivery-log.js";
import { isPassing, type TrackingContext } from "./context.js";
import type { MessageView } from "./message-view.js";

export type { LogStatus };

export interface WaitForOptions {
  /** Whether all recipients must reach the status, or any of them. Default `all`. */
  readonly recipients?: "all" | "any";
  /** Timeout in ms. Default 300,000. */
  readonly timeoutMs?: number;
  /** Ends the waiting: it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 300_000;
const PAUSE: Backoff = { firstMs: 500, longestMs: 30_000 };
/** The outbox is on this machine, so it is read more often. */
const OUTBOX_PAUSE: Backoff = { firstMs: 500, longestMs: 1000 };

/** Polls a message, less and less often, until it has the status or can no longer reach it. */
export async function waitForState(
  view: MessageView,
  state: LogStatus,
  { recipients: mode = "all", timeoutMs = TIMEOUT_MS, signal }: WaitForOptions,
  { clock, budget, logDelayMs, closing }: TrackingContext,
): Promise<MessageStatus> {
  if (!Object.hasOwn(STATUS_IN_WORDS, state))
    throw new ConfigurationError("status is not a status of the log.", {
      hint: `Use one of ${Object.keys(STATUS_IN_WORDS).join(", ")}.`,
    });
  if (!(timeoutMs >= 0))
    throw new ConfigurationError(`timeoutMs is ${timeoutMs}; it must be a number of milliseconds, 0 or more.`);
  const began = clock.now();
  const over = new AbortController();
  const cancel = clock.after(timeoutMs, () => over.abort());
  const ending = AbortSignal.any([over.signal, closing, ...(signal === undefined ? [] : [signal])]);
  let last: MessageStatus | undefined;
  let failure: unknown;
  try {
    for (let looks = 1; ; looks += 1) {
      ending.throwIfAborted();
      try {
        if (!view.isUnsent) await budget.wait(ending);
        last = await view.look(ending);
        failure = undefined;
        const verdict = judge(last, view.missing, state, mode);
        if (verdict === "reached") return last;
        if (verdict === "missed") throw new NotDeliveredError(last, STATUS_IN_WORDS[state]);
      } catch (error) {
        const isEarly = error instanceof MessageNotFoundError && clock.now() - began < logDelayMs;
        if (!isEarly && !isPassing(error)) throw error;
        failure = error;
      }
      await sleep(clock, backoff(looks, view.isUnsent ? OUTBOX_PAUSE : PAUSE), ending);
    }
  } catch (error) {
    if (error instanceof NotDeliveredError) throw error;
    signal?.throwIfAborted();
    closing.throwIfAborted();
    if (over.signal.aborted)
      throw new DeliveryTimeoutError(last, STATUS_IN_WORDS[state], timeoutMs, { cause: failure });
    throw error;
  } finally {
    cancel();
  }
}

/** @param missing Recipients that the log does not show yet. */
function judge(
  { state: whole, outbox, recipients }: MessageStatus,
  missing: number,
  state: LogStatus,
  mode: "all" | "any",
): "reached" | "missed" | "open" {
  if (whole === "unsent") return outbox === "queued" || outbox === "sending" ? "open" : "missed";
  if (recipients.length === 0) return "open";
  const reached = recipients.filter((recipient) => isReached(recipient, state)).length;
  const lost = recipients.filter((recipient) => recipient.final && !isReached(recipient, state)).length;
  if (mode === "any") {
    if (reached > 0) return "reached";
    return lost === recipients.length && missing === 0 ? "missed" : "open";
  }
  if (lost > 0) return "missed";
  return reached === recipients.length && missing === 0 ? "reached" : "open";
}

/** A final status may be replaced by another, such as a late bounce; other events have happened or not. */
function isReached(recipient: RecipientStatus, state: LogStatus): boolean {
  if (isFinal(state)) return recipient.state === state;
  return state === "QUEUED" || recipient.events.some((event) => event.state === state);
}
