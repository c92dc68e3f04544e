import type { SendError } from "../errors.js";
import type { Publish } from "../events.js";
import type { Pace } from "../pace/pace.js";
import { type Parcel, type Sent, targetOf } from "../parcel.js";
import type { Ledger } from "../store/ledger.js";
import { Breaker, type SignOfLife } from "./breaker.js";
import { connect, type Connection, type ConnectionOptions, ownServiceCheck } from "./connection.js";
import { type CourierContext, Twins } from "./context.js";
import { ParcelDelivery } from "./parcel-delivery.js";
import { reconcile } from "./reconcile.js";

export interface CourierOptions {
  /** Maximum milliseconds to wait for a turn and between tries, in total; Infinity for queued messages. */
  readonly maxWait: number;
  /** Milliseconds for the service to answer. */
  readonly timeoutMs?: number | undefined;
  /** Whether nobody can have delivered the parcel before, so that the ledger need not be checked. */
  readonly isNew?: boolean | undefined;
  /** Ends the waiting, the request in progress, and searching the log for it. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting and searching the log; the request in progress may finish. */
  readonly closing: AbortSignal;
  /**
   * Called with the outcome once it is final, and awaited before the ledger forgets the request. If it was not called,
   * an UnknownOutcomeError means that the outcome is still in doubt: the ledger keeps the request for `reconcile`. Any
   * other error means that nothing has been sent.
   */
  readonly decided?: ((outcome: Sent | SendError) => Promise<void>) | undefined;
  /**
   * Called right before each request, once the ledger has it. False: another process has taken over the parcel, and
   * nothing is sent.
   */
  readonly mayLeave?: (() => Promise<boolean>) | undefined;
}

/** Delivers parcels to the service, each at most once. */
export interface Courier {
  /**
   * Sends a parcel. If it definitely did not arrive, it is sent again; if it may have arrived, it is looked up in the
   * delivery log, and never sent again unless the parcel prefers a duplicate to a loss. If the ledger knows of an
   * earlier delivery, that is looked up before anything is sent.
   *
   * @throws {SendError} It was not accepted, or nobody knows.
   */
  deliver(parcel: Parcel, options: CourierOptions): Promise<Sent>;
  /**
   * What happened to a parcel whose process ended while sending it: the message, found in the log and claimed; `"never
   * sent"` if no request for it can have been made; `"unknown"` if the log doesn't say.
   *
   * @throws The reason of `closing`, when it is aborted; then nothing is decided.
   */
  reconcile(
    parcel: Parcel,
    options: Pick<CourierOptions, "closing" | "decided">,
  ): Promise<Sent | "never sent" | "unknown">;
  /** Closes the connections once the requests in progress have ended. */
  close(): Promise<void>;
}

export interface NewCourierOptions extends ConnectionOptions {
  /** For a local service that was discovered, and may belong to another project: the folder where discovery started. */
  readonly searchedFrom?: string | undefined;
  /** Also determines how many requests may run at once. */
  readonly sendsPerMinute: number;
  readonly ledger: Ledger;
  readonly pace: Pick<Pace, "acquire" | "hold">;
  readonly publish: Publish;
  /** Maximum milliseconds until an entry appears in the delivery log. */
  readonly logDelayMs: number;
  /**
   * The local part of an address at `domain` that gets a hidden copy of each email, as `LOCAL+ID@DOMAIN`: it identifies
   * the email in the log exactly, even among similar ones. It counts as one more recipient for the plan, and the domain
   * must accept or drop the copies. The id contains nothing personal.
   */
  readonly correlation?: string | undefined;
  /** The subject of a template, as Mustache, by its name in the project; undefined if unknown. */
  readonly subjectOf?: ((template: string) => string | undefined) | undefined;
}

/**
 * @example
 * const courier = createCourier({ url, apiKey, version: "v4", domain, timeoutMs, logDelayMs, sendsPerMinute: 10, ledger, pace, clock, publish });
 * const { messageId } = await courier.deliver(parcel, { maxWait: 10_000, closing });
 */
export function createCourier(options: NewCourierOptions): Courier {
  const { url, domain, searchedFrom, ledger, pace, clock, publish, correlation, sendsPerMinute } = options;
  const { timeoutMs, logDelayMs, subjectOf } = options;
  const connection = connect(options);
  // A pace six times as high has six times as many requests in progress.
  const lanes = sendsPerMinute / 60;
  const breaker = new Breaker({ clock, publish, lanes, ask: askOf(connection, pace, timeoutMs) });
  const context: CourierContext = {
    url,
    domain,
    target: targetOf(url, domain),
    timeoutMs,
    correlation,
    subjectOf,
    connection,
    breaker,
    pace,
    ledger,
    clock,
    publish,
    checkOwner: ownServiceCheck(url, searchedFrom, clock),
    lookup: { connection, ledger, clock, logDelayMs, onRead: () => breaker.noteSign("log") },
    twins: new Twins(),
  };
  return {
    deliver: (parcel, delivery) => new ParcelDelivery(parcel, delivery, context).run(),
    reconcile: (parcel, delivery) => reconcile(parcel, delivery, context),
    close: () => connection.close(),
  };
}

/**
 * Makes a harmless request: to the log, otherwise to the account. With `sending`, then also sends an email that is
 * empty and therefore refused.
 */
function askOf(connection: Connection, pace: NewCourierOptions["pace"], timeoutMs: number) {
  return async (signal: AbortSignal, sending: boolean): Promise<SignOfLife> => {
    const sign = await connection.ask(signal);
    if (sign !== "log" || !sending) return sign;
    const turn = { priority: "normal", maxWaitMs: Number.POSITIVE_INFINITY, signal, requestMs: timeoutMs } as const;
    const slot = await pace.acquire(turn).catch(() => undefined);
    if (slot === undefined) return sign;
    const result = await connection.send({ from: "", to: [] }, { timeoutMs, signal });
    void (result.answer === undefined ? slot.lost() : slot.answered(result.answer));
    return result.outcome === "rejected" || result.outcome === "accepted" ? "sending" : sign;
  };
}
