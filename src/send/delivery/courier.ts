import { type SendError, SendAbortedError, UnknownOutcomeError } from "../errors.js";
import { messageOf, type Publish } from "../events.js";
import type { Pace } from "../pace/pace.js";
import { type Parcel, type Sent, targetOf } from "../parcel.js";
import type { Ledger, LedgerEnd } from "../store/ledger.js";
import { Breaker, type SignOfLife } from "./breaker.js";
import { connect, type ConnectionOptions, ownServiceCheck } from "./connection.js";
import { type CourierContext, Twins, correlationOf, type Traces, tracesOf } from "./context.js";
import { reconcile, type LogSearch, unfound } from "./reconcile.js";
import { Dispatch, Waits } from "./dispatch.js";
import { findInLog, knownRequest, type NotFound } from "./lookup.js";
import type { Transport } from "./transport.js";

export interface CourierOptions {
  /** Maximum milliseconds to wait for a turn and between tries, in total; Infinity for queued messages. */
  readonly maxWait: number;
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

export function createCourier(options: NewCourierOptions): Courier {
  const { url, domain, searchedFrom, pace, clock, publish, sendsPerMinute, timeoutMs } = options;
  const connection = connect(options);
  // A pace six times as high has six times as many requests in progress.
  const lanes = sendsPerMinute / 60;
  const { transport } = connection;
  const context: CourierContext = {
    ...options,
    logDelayMs: options.apiKey === "" ? 0 : options.logDelayMs,
    target: targetOf(transport.url, domain),
    connection,
    breaker: new Breaker({ clock, publish, lanes, ask: askOf(transport, pace, timeoutMs), risk: transport.risk }),
    checkOwner: ownServiceCheck(url, searchedFrom, clock),
    twins: new Twins(),
  };
  return {
    deliver: (parcel, delivery) => new ParcelDelivery(parcel, delivery, context).run(),
    reconcile: (parcel, delivery) => reconcile(parcel, delivery, context),
    close: () => connection.close(),
  };
}

/** Asks the transport. With `sending`, it may use a slot to find out whether sending works. */
function askOf(transport: Transport, pace: NewCourierOptions["pace"], timeoutMs: number) {
  return (signal: AbortSignal, sending: boolean): Promise<SignOfLife> => {
    const turn = { priority: "normal", maxWaitMs: Number.POSITIVE_INFINITY, signal, requestMs: timeoutMs } as const;
    return transport.probe(signal, sending ? () => pace.acquire(turn).catch(() => undefined) : undefined);
  };
}

/**
 * How long (ms) to look for a message before it is sent again, if someone waits for it and its sender prefers a
 * duplicate to a loss.
 */
const RESEND_AFTER_MS = 5000;
const RESENDS_MAX = 5;

interface Doubt {
  readonly reason: string;
  readonly cause: unknown;
}

class ParcelDelivery {
  readonly #traces: Traces;
  readonly #waits: Waits;
  readonly #dispatch: Dispatch;
  #found: NotFound = "not there";

  constructor(
    private readonly parcel: Parcel,
    private readonly options: CourierOptions,
    private readonly context: CourierContext,
  ) {
    this.#traces = tracesOf(parcel, context);
    this.#waits = new Waits(parcel, options, context.clock);
    this.#dispatch = new Dispatch(parcel, this.#traces, options, this.#waits, context);
  }

  async run(): Promise<Sent> {
    try {
      return (this.options.isNew ? undefined : await this.#known()) ?? (await this.#send());
    } catch (error) {
      throw this.#waits.errorOf(error);
    } finally {
      this.#waits.end();
      this.#dispatch.release();
    }
  }

  /** The outcome of an earlier delivery of the same parcel. */
  async #known(): Promise<Sent | undefined> {
    const { ledger, clock } = this.context;
    const finding = await ledger.find(this.parcel.id);
    if (finding === undefined) return undefined;
    if (finding.state === "accepted") return this.#accept(finding.sent);
    const { state } = finding;
    const entry = knownRequest(finding.entry, this.context);
    const doubt = { reason: "an earlier delivery of it ended without an answer", cause: undefined };
    this.#dispatch.entry = entry;
    this.#dispatch.inDoubt = true;
    const now = clock.time();
    const found = await this.#findInLog(
      doubt,
      Math.min(entry.aliveUntil, now),
      state === "undecided" ? now : undefined,
    );
    if (found !== undefined) return this.#reconcile(found);
    // If it was given up before, someone has decided to send it.
    if (state === "open" && this.parcel.onUnknown === "park") return this.#park(doubt);
    this.context.publish({ type: "resent", ...this.#dispatch.facts });
    return undefined;
  }

  async #send(): Promise<Sent> {
    const { publish, clock } = this.context;
    const { facts } = this.#dispatch;
    for (let resends = 0; ; resends += 1) {
      const outcome = await this.#dispatch.run().catch((error: unknown) => this.#notSent(error));
      switch (outcome.outcome) {
        case "accepted": {
          const { id, messageId, refused } = outcome;
          if (refused !== undefined) publish({ type: "recipients-refused", ...facts, refused: refused.length });
          const sent = await this.#accept({ outcome: "accepted", id, messageId, ...(refused && { refused }) });
          publish({ type: "accepted", ...facts, messageId, durationMs: outcome.durationMs });
          return sent;
        }
        case "rejected":
          publish({ type: "rejected", ...facts, status: outcome.error.status });
          if (this.#dispatch.inDoubt)
            return this.#park({ reason: "it was rejected when it was sent again", cause: outcome.error });
          await this.options.decided?.(outcome.error);
          await this.#end("not sent");
          throw outcome.error;
        case "unknown": {
          publish({ type: "unknown", ...facts, reason: outcome.reason });
          this.#dispatch.inDoubt = true;
          const found = await this.#findInLog(outcome, clock.time());
          if (found !== undefined) return this.#reconcile(found);
          if (this.parcel.onUnknown === "park" || resends === RESENDS_MAX) return this.#giveUp(outcome);
          publish({ type: "resent", ...facts });
        }
      }
    }
  }

  /** @param until Default: as long as the caller can wait for it. */
  async #findInLog(doubt: Doubt, endedAt: number, until = this.#lookUntil(endedAt)): Promise<Sent | undefined> {
    const { entry } = this.#dispatch;
    if (entry === undefined) throw new Error("A request was made that the ledger does not have.");
    const correlation = correlationOf(this.parcel.id, this.context);
    const { stop } = this.#waits;
    try {
      const sought = { wanted: this.#traces.wanted, correlation, entry, endedAt };
      const found = await findInLog(sought, { signal: stop, until }, this.context);
      if (typeof found === "string") {
        this.#found = found;
        return undefined;
      }
      this.context.breaker.found();
      return found;
    } catch (error) {
      if (stop.aborted) throw await this.#leaveInDoubt(doubt);
      // Whatever failed here, a request was made.
      const reason = `${doubt.reason}, and looking it up failed`;
      throw await this.#leaveInDoubt({ reason, cause: error });
    }
  }

  #lookUntil(endedAt: number): number | undefined {
    const { patient, priority } = this.#dispatch.traveller;
    const isAwaited = priority === "high" || !patient;
    if (this.parcel.onUnknown === "resend" && isAwaited)
      return endedAt + Math.min(RESEND_AFTER_MS, this.context.logDelayMs);
    return patient ? undefined : endedAt + this.#lookMs;
  }

  /** A waiting caller waits for the lookup as long as it would have waited for a turn. */
  get #lookMs(): number {
    return Math.min(this.options.maxWait, this.context.logDelayMs);
  }

  /** This try sent nothing, but an earlier one may still be in doubt. */
  async #notSent(error: unknown): Promise<never> {
    if (!this.#dispatch.inDoubt) throw error;
    const cause = this.#waits.errorOf(error);
    const doubt = { reason: "it could not be sent again", cause };
    if (cause instanceof SendAbortedError) throw await this.#leaveInDoubt(doubt);
    return this.#park(doubt);
  }

  async #accept(sent: Sent): Promise<Sent> {
    const { decided } = this.options;
    if (decided !== undefined) await decided(sent);
    await this.#end(sent);
    return sent;
  }

  /** The outcome stands even if the store fails: an entry that stays is looked up by the next process that finds it. */
  async #end(how: LedgerEnd): Promise<void> {
    await this.context.ledger.end(this.parcel.id, how).catch((error: unknown) => this.#storeFailed(error));
  }

  #storeFailed(error: unknown): void {
    this.context.publish({ type: "store-failed", ...this.#dispatch.facts, reason: messageOf(error) });
  }

  async #reconcile(found: Sent): Promise<Sent> {
    const sent = await this.#accept(found);
    this.context.publish({ type: "reconciled", ...this.#dispatch.facts, messageId: sent.messageId });
    return sent;
  }

  /** If the log may still show it, the next sender of the same message looks again. */
  async #giveUp(doubt: Doubt): Promise<never> {
    if (this.#lookMs === this.context.logDelayMs) return this.#park(doubt);
    const error = await this.#leaveInDoubt(doubt, { found: this.#found, forMs: this.#lookMs });
    this.context.publish({ type: "parked", ...this.#dispatch.facts });
    throw error;
  }

  /** The outcome is unknown, and nothing searches for it any longer. */
  async #park(doubt: Doubt): Promise<never> {
    const { publish, logDelayMs } = this.context;
    const error = this.#unknown(doubt, { found: this.#found, forMs: logDelayMs });
    await this.options.decided?.(error);
    await this.#end("undecided");
    publish({ type: "parked", ...this.#dispatch.facts });
    throw error;
  }

  /** Other senders are released only after the lookup ended: the next one continues from here. */
  async #leaveInDoubt(doubt: Doubt, search?: LogSearch): Promise<SendError> {
    this.#dispatch.release();
    await this.context.ledger.keepAlive(this.parcel.id, 0).catch((error: unknown) => this.#storeFailed(error));
    return this.#unknown(doubt, search);
  }

  #unknown({ reason: why, cause }: Doubt, search?: LogSearch): UnknownOutcomeError {
    const { entry } = this.#dispatch;
    const { reason, ...where } = search === undefined ? { reason: why } : unfound(why, search);
    const since = entry && new Date(entry.startedAt);
    return new UnknownOutcomeError(reason, { cause, id: this.parcel.id, since, ...where });
  }
}
