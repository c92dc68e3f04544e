import { type Backoff, backoff } from "../../api/calls/timing.js";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import { ConfigurationError } from "../../errors.js";
import { sleep } from "../clock.js";
import { isBounce, isFinal, type LoggedEvent, type LoggedMail } from "../delivery/delivery-log.js";
import { isPassing, type TrackingContext } from "./context.js";
import { type DeliveryEvent, deliveryEvent } from "./message-status.js";

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

const STATES = ["SOFT-BOUNCE", "HARD-BOUNCE", "BOUNCED", "REFUSED"] as const;
/** Between looks that find nothing new. */
const PAUSE: Backoff = { firstMs: 1000, longestMs: 30_000, factor: 1.5 };
const SECOND_MS = 1000;

/**
 * New bounces, as the log shows them. While there are none, the pauses between looks grow.
 *
 * @param calledAt `performance.now()` at the time of the application's call: events from then on are new.
 */
export async function* newBounces(
  { since, signal }: BouncesOptions,
  calledAt: number,
  { log, clock, budget, closing, serviceTime, note }: TrackingContext,
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
  let idleLooks = 0;
  while (!ending.aborted) {
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
    idleLooks = news.length > 0 ? 1 : idleLooks + 1;
    await sleep(clock, backoff(idleLooks, PAUSE), ending).catch(() => undefined);
  }
}

function toBounce({ mail, event }: NewEvent): Bounce | undefined {
  const { status: state } = event;
  if (!isBounceState(state)) return undefined;
  const { id: logId, messageId, recipient: email } = mail;
  return { ...deliveryEvent(event), state, final: isFinal(state), email, logId, messageId };
}

function isBounceState(state: LogStatus): state is Bounce["state"] {
  return isBounce(state);
}

/** An event that the previous look did not have. */
interface NewEvent {
  readonly mail: LoggedMail;
  readonly event: LoggedEvent;
}

interface WatchOptions extends Pick<TrackingContext, "log" | "clock"> {
  readonly states: readonly LogStatus[];
  /** Milliseconds since 1970 on the service's clock: earlier events are not new. Called at the first look. */
  readonly since: (newestEntry: number | undefined) => number;
}

const HOUR_MS = 3_600_000;
/** Servers try for five days (RFC 5321, 4.5.4.1), so the outcome of older entries is final. */
export const REACH_MS = 7 * 24 * HOUR_MS;
/** With many entries, how far back each look goes: more than clock differences and the log's delay. */
const OVERLAP_MS = HOUR_MS;
/** This many are read with one request. */
const FEW = 200;
/** With many entries, how often the whole reach is read again. */
const THOROUGH_EVERY_MS = 600_000;

/**
 * Finds events since the last look. The log filters entries by their creation time, not by when an event happened, so
 * each look reads all entries again that may still change, restricted to those with a matching event.
 */
export class BounceWatch {
  /** The known events, each with the time of its entry, for as long as the entry is read again. */
  readonly #seen = new Map<string, number>();
  #since = 0;
  /** The newest entry's time. */
  #reference: number | undefined;
  #thoroughAt = Number.NEGATIVE_INFINITY;
  #isMany = false;

  constructor(private readonly options: WatchOptions) {}

  /** New events, in the order in which they happened. If it throws, the next look finds them all again. */
  async look(signal?: AbortSignal): Promise<readonly NewEvent[]> {
    const { log, clock, states } = this.options;
    const isFirst = this.#reference === undefined;
    const reference = this.#reference ?? (await this.#begin(signal));
    const isThorough = !this.#isMany || clock.now() - this.#thoroughAt >= THOROUGH_EVERY_MS;
    const from = (isFirst ? Math.min(reference, this.#since) : reference) - (isThorough ? REACH_MS : OVERLAP_MS);
    const news: NewEvent[] = [];
    let newest = reference;
    let read = 0;
    for await (const mail of log.within({ from, states }, signal)) {
      read += 1;
      newest = Math.max(newest, mail.at);
      for (const event of mail.events)
        if (states.includes(event.status) && !this.#seen.has(event.id)) news.push({ mail, event });
    }
    // Only now: a look that failed has reported nothing.
    for (const { mail, event } of news) this.#seen.set(event.id, mail.at);
    this.#reference = newest;
    if (isThorough) {
      this.#thoroughAt = clock.now();
      this.#isMany = read > FEW;
    }
    for (const [id, at] of this.#seen) if (at < newest - REACH_MS - OVERLAP_MS) this.#seen.delete(id);
    return news.filter(({ event }) => !isFirst || event.at >= this.#since).toSorted((a, b) => a.event.at - b.event.at);
  }

  async #begin(signal?: AbortSignal): Promise<number> {
    const newest = await this.options.log.latest(signal);
    this.#since = this.options.since(newest);
    return newest ?? this.#since;
  }
}
