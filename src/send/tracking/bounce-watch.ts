import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { Clock } from "../clock.js";
import type { DeliveryLog, LoggedMail } from "./delivery-log.js";
import type { LoggedEvent } from "./logged-event.js";

/** An event that the previous look did not have. */
export interface NewEvent {
  readonly mail: LoggedMail;
  readonly event: LoggedEvent;
}

export interface WatchOptions {
  readonly log: DeliveryLog;
  readonly clock: Clock;
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
  readonly #options;
  /** The known events, each with the time of its entry, for as long as the entry is read again. */
  readonly #seen = new Map<string, number>();
  #since = 0;
  /** The newest entry's time. */
  #reference: number | undefined;
  #thoroughAt = Number.NEGATIVE_INFINITY;
  #isMany = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** New events, in the order in which they happened. If it throws, the next look finds them all again. */
  async look(signal?: AbortSignal): Promise<readonly NewEvent[]> {
    const { log, clock, states } = this.#options;
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
    const newest = await this.#options.log.latest(signal);
    this.#since = this.#options.since(newest);
    return newest ?? this.#since;
  }
}
