import { checkCorrelation } from "../check-options.js";
import type { Clock } from "../clock.js";
import type { Publish } from "../events/events.js";
import { targetOf } from "../outbox/target.js";
import type { Pace } from "../pace/pace.js";
import type { SignOfLife } from "./asking.js";
import { Breaker } from "./breaker.js";
import { connect, type Connection } from "./connection.js";
import type { Courier } from "./courier.js";
import { Delivery } from "./delivery.js";
import type { Ledger } from "./ledger.js";
import type { CourierContext } from "./context.js";
import { withSyncHint } from "./missing-template.js";
import { toOwnService } from "./own-service.js";
import { reconcile } from "./reconcile.js";
import { Twins } from "./twins.js";

export interface NewCourierOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly allowInsecure?: boolean | undefined;
  readonly version: "v4" | "v3";
  /** The environment's name, for hints. */
  readonly environment?: string | undefined;
  /** Of a local service that was found, and may be another project's: the folder from which it was. */
  readonly searchedFrom?: string | undefined;
  /** The sender's. */
  readonly domain: string;
  /** Milliseconds for the service to answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** How many may be under way at once follows from it. */
  readonly sendsPerMinute: number;
  readonly ledger: Ledger;
  readonly pace: Pick<Pace, "acquire" | "hold">;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Milliseconds that an entry may take to show in the delivery log. Default 60,000. */
  readonly logDelayMs?: number | undefined;
  /**
   * The local part of an address of `domain` that each mail is sent to as well, as `LOCAL+ID@DOMAIN`, hidden from the others:
   * with it a mail is found in the log exactly, whatever is like it. It is one recipient more for the plan to count, and the
   * domain has to take or drop what comes to it. The id says nothing about anybody.
   */
  readonly correlation?: string | undefined;
  /** The subject of a template, Mustache, by its name in the project; undefined where it is not known. */
  readonly subjectOf?: ((template: string) => string | undefined) | undefined;
}

const TIMEOUT_MS = 30_000;
const LOG_DELAY_MS = 60_000;

/**
 * @example
 * const courier = createCourier({ url, apiKey, version: "v4", domain, sendsPerMinute: 10, ledger, pace, clock, publish });
 * const { messageId } = await courier.deliver(parcel, { maxWait: 10_000, closing });
 *
 * @throws {ConfigurationError} `correlation` is no local part to which an id can be added.
 */
export function createCourier(options: NewCourierOptions): Courier {
  const { url, domain, ledger, pace, clock, publish, correlation, sendsPerMinute } = options;
  const { timeoutMs = TIMEOUT_MS, logDelayMs = LOG_DELAY_MS, subjectOf } = options;
  checkCorrelation(correlation);
  const service = connect({ ...options, timeoutMs });
  const connection = withSyncHint(toOwnService(service, options), options.environment);
  // Somebody who sends six times as fast has six times as many under way.
  const breaker = new Breaker({
    clock,
    publish,
    lanes: sendsPerMinute / 60,
    ask: askOf(service, options, timeoutMs),
  });
  const lookup = { connection, ledger, clock, logDelayMs, heard: () => breaker.heard("log") };
  const target = targetOf(url, domain);
  const twins = new Twins();
  const facts = { url, domain, target, timeoutMs, correlation, subjectOf };
  const context: CourierContext = { ...facts, connection, breaker, pace, ledger, lookup, clock, publish, twins };
  return {
    deliver: (parcel, delivery) => new Delivery(parcel, delivery, context).run(),
    reconcile: (parcel, delivery) => reconcile(parcel, delivery, context),
    close: () => connection.close(),
  };
}

/** Asks for what changes nothing: the log, else the account; and then, where it is wanted, for a mail without anything in it. */
function askOf(connection: Connection, { pace }: Pick<NewCourierOptions, "pace">, timeoutMs: number) {
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
