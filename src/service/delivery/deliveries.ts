import type { Clock } from "../clock.js";
import { newEventId } from "../ids.js";
import type { ComingEvent } from "../store/coming-events.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import type { Store } from "../store/store.js";
import { courseOf, type Outcome } from "./outcome.js";
import type { Webhooks } from "./webhooks.js";

/** The host name in the log, for this service and for receiving servers: nothing leaves the machine. */
export const HOSTNAME = "localhost";

/** Maximum number of events that are added in one write. */
const STEP = 500;

/**
 * Events of emails after they were accepted. Future events are stored and happen when the service's clock reaches them:
 * before any request is answered, or soon after by a timer.
 */
export class Deliveries {
  readonly #store;
  readonly #clock;
  readonly #webhooks;
  #nextDueAt: number;

  constructor(store: Store, clock: Clock, webhooks: Webhooks) {
    this.#store = store;
    this.#clock = clock;
    this.#webhooks = webhooks;
    this.#nextDueAt = store.comingEvents.nextDueAt();
  }

  /**
   * Logs an email to one recipient with its immediate events, and schedules later ones. Must be called in a
   * transaction.
   */
  accept(domainId: number, mailSeq: number, entry: Omit<NewLogEntry, "events">, outcome: Outcome): void {
    const all = courseOf(outcome).map(({ after, ...step }) => ({
      ...step,
      id: newEventId(entry.createdAt + after),
      dueAt: entry.createdAt + after,
    }));
    const events = all.filter(({ dueAt }) => dueAt === entry.createdAt).map(happened);
    this.#store.logs.append(domainId, mailSeq, { ...entry, events });
    this.#webhooks.announce(domainId, { ...entry, events }, events);
    for (const event of all.slice(events.length)) {
      this.#store.comingEvents.add(entry.id, event);
      this.#nextDueAt = Math.min(this.#nextDueAt, event.dueAt);
    }
  }

  /** Processes all due events. Costs one comparison if there are none. */
  catchUp(): void {
    while (this.#nextDueAt <= this.#clock.now()) {
      this.#store.transaction(() => this.#happen());
      this.#nextDueAt = this.#store.comingEvents.nextDueAt();
    }
  }

  #happen(): void {
    const { comingEvents, logs } = this.#store;
    for (const { seq, entryId, domainId, ...coming } of comingEvents.due(this.#clock.now(), STEP)) {
      comingEvents.delete(seq);
      const event = happened(coming);
      logs.appendEvent(entryId, event);
      const entry = logs.findUnshown(entryId);
      if (entry) this.#webhooks.announce(domainId, entry, [event]);
    }
  }
}

function happened({ id, dueAt, code, message, status }: ComingEvent): LogEventRecord {
  return { id, createdAt: dueAt, code, message, status, local: HOSTNAME, server: HOSTNAME };
}
