import { checkCorrelation } from "../check-options.js";
import type { Clock } from "../clock.js";
import type { Publish } from "../events.js";
import { type Parcel, targetOf } from "../parcel.js";
import type { Pace } from "../pace/pace.js";
import type { SignOfLife } from "./service-probe.js";
import { Breaker } from "./breaker.js";
import { type Attempt, connect, type Connection } from "./connection.js";
import type { Courier } from "./courier.js";
import { Delivery } from "./delivery.js";
import type { Ledger } from "../store/ledger.js";
import { type CourierContext, Twins } from "./context.js";
import { toOwnService } from "./own-service.js";
import { reconcile } from "./reconcile.js";
import { RejectedError } from "../errors.js";

export interface NewCourierOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly allowInsecure?: boolean | undefined;
  readonly version: "v4" | "v3";
  /** The environment's name, for hints. */
  readonly environment?: string | undefined;
  /** For a local service that was discovered, and may belong to another project: the folder where discovery started. */
  readonly searchedFrom?: string | undefined;
  /** The sender's domain. */
  readonly domain: string;
  /** Milliseconds for the service to answer. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Also determines how many requests may run at once. */
  readonly sendsPerMinute: number;
  readonly ledger: Ledger;
  readonly pace: Pick<Pace, "acquire" | "hold">;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Maximum milliseconds until an entry appears in the delivery log. Default 60,000. */
  readonly logDelayMs?: number | undefined;
  /**
   * The local part of an address at `domain` that gets a hidden copy of each email, as `LOCAL+ID@DOMAIN`: it identifies
   * the email in the log exactly, even among similar ones. It counts as one more recipient for the plan, and the domain
   * must accept or drop the copies. The id contains nothing personal.
   */
  readonly correlation?: string | undefined;
  /** The subject of a template, as Mustache, by its name in the project; undefined if unknown. */
  readonly subjectOf?: ((template: string) => string | undefined) | undefined;
}

const TIMEOUT_MS = 30_000;
const LOG_DELAY_MS = 60_000;

/**
 * @example
 * const courier = createCourier({ url, apiKey, version: "v4", domain, sendsPerMinute: 10, ledger, pace, clock, publish });
 * const { messageId } = await courier.deliver(parcel, { maxWait: 10_000, closing });
 *
 * @throws {ConfigurationError} `correlation` is not a local part that an id can be appended to.
 */
export function createCourier(options: NewCourierOptions): Courier {
  const { url, domain, ledger, pace, clock, publish, correlation, sendsPerMinute } = options;
  const { timeoutMs = TIMEOUT_MS, logDelayMs = LOG_DELAY_MS, subjectOf } = options;
  checkCorrelation(correlation);
  const service = connect({ ...options, timeoutMs });
  const connection = withSyncHint(toOwnService(service, options), options.environment);
  // A pace six times as high has six times as many requests in progress.
  const breaker = new Breaker({
    clock,
    publish,
    lanes: sendsPerMinute / 60,
    ask: askOf(service, options, timeoutMs),
  });
  const lookup = { connection, ledger, clock, logDelayMs, onRead: () => breaker.noteSign("log") };
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

/**
 * Makes a harmless request: to the log, otherwise to the account. With `sending`, then also sends an email that is
 * empty and therefore refused.
 */
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

/**
 * Wraps a connection so that refusals explain how to upload a missing template.
 *
 * @param environment Its name, for the command.
 */
function withSyncHint(connection: Connection, environment: string | undefined): Connection {
  return {
    ...connection,
    send: async (email, options) => hinted(await connection.send(email, options), email, environment),
  };
}

function hinted(attempt: Attempt, { template }: Parcel["email"], environment: string | undefined): Attempt {
  if (attempt.outcome !== "rejected" || template === undefined) return attempt;
  const { status, serviceMessage, fieldErrors, cause } = attempt.error;
  if (status !== 404 || isAboutDomain(serviceMessage)) return attempt;
  // An environment that only variables describe has no name for `--env`.
  const flag = environment === undefined || environment === "custom" ? "" : ` --env ${environment}`;
  const hint = `The template "${template}" is not on the service. Run: templates sync${flag}`;
  return { ...attempt, error: new RejectedError(status, serviceMessage, fieldErrors, { cause, hint }) };
}

/** A 404 may also be about a domain that is not in the account. */
function isAboutDomain(serviceMessage: string): boolean {
  return /domain/i.test(serviceMessage) && !/template/i.test(serviceMessage);
}
