import type { LogStatus } from "../../api/contract/v4/logs.js";
import { ConfigurationError } from "../../errors.js";
import { type Clock, sleep } from "../clock.js";
import { BounceWatch, type NewEvent } from "./bounce-watch.js";
import type { DeliveryLog, LoggedMail } from "./delivery-log.js";
import { isBounce, isFinal } from "./logged-event.js";
import type { LookBudget } from "./look-budget.js";
import type { DeliveryEvent } from "./message-status.js";
import { isPassing } from "./passing.js";
import { replyInWords } from "./replies.js";

/** An email that did not arrive, temporarily or permanently. */
export interface Bounce extends DeliveryEvent {
  /** `SOFT-BOUNCE` is tried again; `HARD-BOUNCE`, `BOUNCED` and `REFUSED` are final. */
  readonly state: Exclude<LogStatus, "QUEUED" | "DELIVERED">;
  /** Whether delivery has ended. */
  readonly final: boolean;
  readonly email: string;
  /** The id of the log entry. */
  readonly logId: string;
  readonly messageId: string;
}

export interface BouncesOptions {
  /** Start with events from this time on. Default: the time of the call. */
  readonly since?: Date;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

export interface BouncesContext {
  readonly log: DeliveryLog;
  readonly clock: Clock;
  readonly budget: LookBudget;
  readonly closing: AbortSignal;
  /** Milliseconds since 1970 on the service's clock, as far as its answers have shown. */
  readonly serviceTime: () => number;
  readonly note: (mails: readonly LoggedMail[]) => Promise<void>;
}

const STATES = ["SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED", "REFUSED"] as const;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const SECOND_MS = 1000;

/**
 * New bounces, as the log shows them. While there are none, the pauses between looks grow.
 *
 * @param calledAt `performance.now()` at the time of the application's call: events from then on are new.
 */
export async function* newBounces(
  { since, signal }: BouncesOptions,
  calledAt: number,
  { log, clock, budget, closing, serviceTime, note }: BouncesContext,
): AsyncGenerator<Bounce, void, undefined> {
  if (since !== undefined && Number.isNaN(since.getTime())) throw new ConfigurationError("since is not a valid date.");
  const ending = signal === undefined ? closing : AbortSignal.any([closing, signal]);
  const watch = new BounceWatch({
    log,
    clock,
    states: STATES,
    since: (newest = 0) => {
      if (since !== undefined) return since.getTime();
      // The log has whole seconds.
      const called = Math.max(serviceTime(), newest) - (performance.now() - calledAt);
      return Math.floor(called / SECOND_MS) * SECOND_MS;
    },
  });
  for (let pause = FIRST_PAUSE_MS; !ending.aborted; pause = Math.min(1.5 * pause, LONGEST_PAUSE_MS)) {
    const news = await budget
      .wait(ending)
      .then(() => watch.look(ending))
      .catch((error: unknown) => {
        if (ending.aborted || isPassing(error)) return [];
        throw error;
      });
    await note(news.map(({ mail }) => mail));
    for (const each of news) {
      const bounce = toBounce(each);
      if (bounce !== undefined) yield bounce;
      if (ending.aborted) return;
    }
    if (news.length > 0) pause = FIRST_PAUSE_MS;
    await sleep(clock, pause, ending).catch(() => undefined);
  }
}

function toBounce({ mail, event }: NewEvent): Bounce | undefined {
  const { id, at, status: state, code, message } = event;
  if (!isBounceState(state)) return undefined;
  const meaning = replyInWords(event);
  return {
    id,
    at: new Date(at),
    state,
    final: isFinal(state),
    email: mail.recipient,
    logId: mail.id,
    messageId: mail.messageId,
    code,
    message,
    ...(meaning === undefined ? {} : { meaning }),
  };
}

function isBounceState(state: LogStatus): state is Bounce["state"] {
  return isBounce(state);
}
