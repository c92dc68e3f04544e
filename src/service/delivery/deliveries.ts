import { z } from "zod";
import type { LogStatus } from "../../api/contract/v4/logs.js";
import type { ServiceClock } from "../clock.js";
import { newEventId } from "../ids.js";
import type { ComingEvent } from "../store/coming-events.js";
import type { LogEventRecord, NewLogEntry } from "../store/log-rows.js";
import type { Store } from "../store/store.js";
import type { Webhooks } from "./webhooks.js";

/** The final status of an email, in lower case. `soft-bounce` is delivered in the end. */
export const outcomeSchema = z.enum(["delivered", "soft-bounce", "hard-bounce", "bounced", "refused", "queued"]);

export type DeliveryOutcome = z.output<typeof outcomeSchema>;

/** One event of an email, with codes and messages as SMTP servers use them. */
interface Step {
  /** Milliseconds after the email was accepted. */
  readonly after: number;
  readonly status: LogStatus;
  readonly code: number;
  readonly message: string;
}

const MINUTE_MS = 60_000;

const queued: Step = { after: 0, status: "QUEUED", code: 250, message: "2.0.0 Queued" };
const delivered: Step = {
  after: 0,
  status: "DELIVERED",
  code: 250,
  message: "2.0.0 Captured: nothing leaves this machine",
};
const deferred: Step = { after: 0, status: "SOFT-BOUNCE", code: 451, message: "4.7.1 Greylisted, try again later" };

/** The events of an email by its outcome, in order. An email that is deferred is retried after one minute, and again after five more. */
const courses: Readonly<Record<DeliveryOutcome, readonly Step[]>> = {
  delivered: [queued, delivered],
  "soft-bounce": [queued, deferred, { ...deferred, after: MINUTE_MS }, { ...delivered, after: 6 * MINUTE_MS }],
  "hard-bounce": [queued, { after: 0, status: "HARD-BOUNCE", code: 550, message: "5.1.1 User unknown" }],
  bounced: [queued, { after: 0, status: "BOUNCED", code: 554, message: "5.0.0 Delivery failed" }],
  refused: [queued, { after: 0, status: "REFUSED", code: 554, message: "5.7.1 Connection refused by policy" }],
  queued: [queued],
};

/**
 * The outcome of an email to this address: the table's entry for the whole address, case-insensitive, otherwise the
 * outcome that the address itself names, as its local part (`hard-bounce@example.com`) or after its last `+`
 * (`ada+hard-bounce@example.com`).
 */
export function outcomeOf(email: string, table: Readonly<Record<string, DeliveryOutcome>>): DeliveryOutcome {
  const address = email.toLowerCase();
  const configured = Object.entries(table).find(([key]) => key.toLowerCase() === address);
  if (configured) return configured[1];
  const localPart = address.slice(0, address.lastIndexOf("@"));
  const named = outcomeSchema.safeParse(localPart.slice(localPart.lastIndexOf("+") + 1));
  return named.data ?? "delivered";
}

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

  constructor(store: Store, clock: ServiceClock, webhooks: Webhooks) {
    this.#store = store;
    this.#clock = clock;
    this.#webhooks = webhooks;
    this.#nextDueAt = store.comingEvents.nextDueAt();
  }

  /**
   * Logs an email to one recipient with its immediate events, and schedules later ones. Must be called in a
   * transaction.
   */
  accept(domainId: number, mailSeq: number, entry: Omit<NewLogEntry, "events">, outcome: DeliveryOutcome): void {
    const all = courses[outcome].map(({ after, ...step }) => ({
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

  /** Adds an event to an entry of the log, and announces it. Must be called in a transaction. */
  addEvent(domainId: number, entryId: string, event: LogEventRecord): void {
    const { logs, webhookPosts } = this.#store;
    logs.appendEvent(entryId, event);
    if (webhookPosts.announcedName(domainId) === undefined) return;
    const entry = logs.findUnshown(entryId);
    if (entry) this.#webhooks.announce(domainId, entry, [event]);
  }

  /** Processes all due events. Costs one comparison if there are none. */
  catchUp(): void {
    while (this.#nextDueAt <= this.#clock.now()) {
      this.#store.transaction(() => this.#happen());
      this.#nextDueAt = this.#store.comingEvents.nextDueAt();
    }
  }

  #happen(): void {
    const { comingEvents } = this.#store;
    for (const { seq, entryId, domainId, ...coming } of comingEvents.due(this.#clock.now(), STEP)) {
      comingEvents.delete(seq);
      this.addEvent(domainId, entryId, happened(coming));
    }
  }
}

function happened({ id, dueAt, code, message, status }: ComingEvent): LogEventRecord {
  return { id, createdAt: dueAt, code, message, status, local: HOSTNAME, server: HOSTNAME };
}
