import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { Clock } from "../clock.js";
import type { DeliveryLog, LoggedMail } from "./delivery-log.js";
import type { LoggedEvent } from "./logged-event.js";

/** An event that was not there at the look before. */
export interface NewEvent {
  readonly mail: LoggedMail;
  readonly event: LoggedEvent;
}

export interface WatchOptions {
  readonly log: DeliveryLog;
  readonly clock: Clock;
  readonly states: readonly LogStatus[];
  /** Milliseconds since 1970 on the service's clock: what happened before is not new. Asked at the first look. */
  readonly since: (newestEntry: number | undefined) => number;
}

const HOUR_MS = 3_600_000;
/** Servers try for five days (RFC 5321, 4.5.4.1): what happens to an entry that is older than this is known. */
export const REACH_MS = 7 * 24 * HOUR_MS;
/** Where there are many entries, how far back each look goes, which is more than clocks and the log's delay make up. */
const OVERLAP_MS = HOUR_MS;
/** So many are read with one request. */
const FEW = 200;
/** How often, where there are many, the whole reach is looked at again. */
const THOROUGH_EVERY_MS = 600_000;

/**
 * Finds what happened since it looked last. The log filters entries by when they came, not by when something happened to
 * them: so each look reads all entries again to which something can still happen, of those that have such an event at all.
 */
export class BounceWatch {
  readonly #options;
  /** The events that are known, each with the time of its entry, for as long as the entry is read again. */
  readonly #seen = new Map<string, number>();
  #since = 0;
  /** The newest entry's time. */
  #reference: number | undefined;
  #thoroughAt = Number.NEGATIVE_INFINITY;
  #isMany = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** What is new, in the order in which it happened. What it throws leaves everything for the next look. */
  async look(signal?: AbortSignal): Promise<readonly NewEvent[]> {
    const { log, clock, states } = this.#options;
    const isFirst = this.#reference === undefined;
    const reference = this.#reference ?? (await this.#begin(signal));
    const isThorough = !this.#isMany || clock.now() - this.#thoroughAt >= THOROUGH_EVERY_MS;
    const from = (isFirst ? Math.min(reference, this.#since) : reference) - (isThorough ? REACH_MS : OVERLAP_MS);
    const found: NewEvent[] = [];
    let newest = reference;
    let read = 0;
    for await (const mail of log.within({ from, states }, signal)) {
      read += 1;
      newest = Math.max(newest, mail.at);
      for (const event of mail.events)
        if (states.includes(event.status) && !this.#seen.has(event.id)) found.push({ mail, event });
    }
    // Only now: a look that broke off has told nobody.
    for (const { mail, event } of found) this.#seen.set(event.id, mail.at);
    this.#reference = newest;
    if (isThorough) {
      this.#thoroughAt = clock.now();
      this.#isMany = read > FEW;
    }
    for (const [id, at] of this.#seen) if (at < newest - REACH_MS - OVERLAP_MS) this.#seen.delete(id);
    return found.filter(({ event }) => !isFirst || event.at >= this.#since).toSorted((a, b) => a.event.at - b.event.at);
  }

  async #begin(signal?: AbortSignal): Promise<number> {
    const newest = await this.#options.log.latest(signal);
    this.#since = this.#options.since(newest);
    return newest ?? this.#since;
  }
}
