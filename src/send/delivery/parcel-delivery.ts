import { SendAbortedError, type SendError, UnknownOutcomeError } from "../errors.js";
import type { CourierOptions } from "./courier.js";
import { Dispatch, type RequestOutcome, type Waits, waitsOf } from "./dispatch.js";
import { lookUp, type NotFound } from "./lookup.js";
import { correlationOf, type CourierContext, type Traces, tracesOf } from "./context.js";
import type { LedgerEnd } from "../store/ledger.js";
import type { Parcel, Sent } from "../parcel.js";
import { type LogSearch, unfound } from "./reconcile.js";

/**
 * How long (ms) to look for a message before it is sent again, if someone waits for it and its sender prefers a
 * duplicate to a loss.
 */
const RESEND_AFTER_MS = 5000;
const RESENDS_MAX = 5;

/** Why the outcome is unknown. */
interface Doubt {
  readonly reason: string;
  readonly cause: unknown;
}

/** The delivery of one parcel and its outcome. */
export class ParcelDelivery {
  readonly #traces: Traces;
  readonly #waits: Waits;
  readonly #dispatch: Dispatch;
  /** The result of the latest lookup. */
  #found: NotFound = "not there";

  constructor(
    private readonly parcel: Parcel,
    private readonly options: CourierOptions,
    private readonly context: CourierContext,
  ) {
    this.#traces = tracesOf(parcel, context);
    this.#waits = waitsOf(parcel, options, context.clock);
    this.#dispatch = new Dispatch(parcel, this.#traces, options, this.#waits, context);
  }

  /** Implements `Courier.deliver`. */
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
    const { state, entry } = finding;
    const doubt = { reason: "an earlier delivery of it ended without an answer", cause: undefined };
    this.#dispatch.entry = entry;
    this.#dispatch.inDoubt = true;
    const now = clock.time();
    const found = await this.#lookUp(doubt, Math.min(entry.aliveUntil, now), state === "undecided" ? now : undefined);
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
      const outcome = await this.#request();
      switch (outcome.outcome) {
        case "accepted": {
          const { id, message_id: messageId } = outcome.accepted;
          const sent = await this.#accept({ outcome: "accepted", id, messageId });
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
          const found = await this.#lookUp(outcome, clock.time());
          if (found !== undefined) return this.#reconcile(found);
          if (this.parcel.onUnknown === "park" || resends === RESENDS_MAX) return this.#giveUp(outcome);
          publish({ type: "resent", ...facts });
        }
      }
    }
  }

  async #request(): Promise<RequestOutcome> {
    try {
      return await this.#dispatch.run();
    } catch (error) {
      return await this.#notSent(error);
    }
  }

  /** @param until Default: as long as the caller can wait for it. */
  async #lookUp(doubt: Doubt, endedAt: number, until = this.#lookUntil(endedAt)): Promise<Sent | undefined> {
    const { entry } = this.#dispatch;
    if (entry === undefined) throw new Error("A request was made that the ledger does not have.");
    const correlation = correlationOf(this.parcel.id, this.context);
    const options = { signal: this.#waits.stop, ...(until === undefined ? {} : { until }) };
    try {
      const sought = { wanted: this.#traces.wanted, correlation, entry, endedAt };
      const found = await lookUp(sought, options, this.context.lookup);
      if (typeof found === "string") {
        this.#found = found;
        return undefined;
      }
      this.context.breaker.found();
      return found;
    } catch (error) {
      if (this.#waits.stop.aborted) throw await this.#leaveInDoubt(doubt);
      // Whatever failed here, a request was made.
      const reason = `${doubt.reason}, and looking it up failed`;
      throw await this.#leaveInDoubt({ reason, cause: error });
    }
  }

  #lookUntil(endedAt: number): number | undefined {
    const { patient, priority } = this.#dispatch.traveller;
    const isAwaited = priority === "high" || !patient;
    if (this.parcel.onUnknown === "resend" && isAwaited)
      return endedAt + Math.min(RESEND_AFTER_MS, this.context.lookup.logDelayMs);
    return patient ? undefined : endedAt + this.#lookMs;
  }

  /** A waiting caller waits for the lookup as long as it would have waited for a turn. */
  get #lookMs(): number {
    return Math.min(this.options.maxWait, this.context.lookup.logDelayMs);
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
    const { ledger, clock } = this.context;
    await ledger.end(this.parcel.id, how, clock.time()).catch((error: unknown) => this.#storeFailed(error));
  }

  #storeFailed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    this.context.publish({ type: "store-failed", ...this.#dispatch.facts, reason });
  }

  async #reconcile(found: Sent): Promise<Sent> {
    const sent = await this.#accept(found);
    this.context.publish({ type: "reconciled", ...this.#dispatch.facts, messageId: sent.messageId });
    return sent;
  }

  /** If the log may still show it, the next sender of the same message looks again. */
  async #giveUp(doubt: Doubt): Promise<never> {
    if (this.#lookMs === this.context.lookup.logDelayMs) return this.#park(doubt);
    const error = await this.#leaveInDoubt(doubt, { found: this.#found, forMs: this.#lookMs });
    this.context.publish({ type: "parked", ...this.#dispatch.facts });
    throw error;
  }

  /** The outcome is unknown, and nothing searches for it any longer. */
  async #park(doubt: Doubt): Promise<never> {
    const { publish, lookup } = this.context;
    const error = this.#unknown(doubt, { found: this.#found, forMs: lookup.logDelayMs });
    await this.options.decided?.(error);
    await this.#end("undecided");
    publish({ type: "parked", ...this.#dispatch.facts });
    throw error;
  }

  /** Other senders are released only after the lookup ended: the next one continues from here. */
  async #leaveInDoubt(doubt: Doubt, search?: LogSearch): Promise<SendError> {
    const { ledger, clock } = this.context;
    this.#dispatch.release();
    await ledger.keepAlive(this.parcel.id, clock.time()).catch((error: unknown) => this.#storeFailed(error));
    return this.#unknown(doubt, search);
  }

  #unknown({ reason: why, cause }: Doubt, search?: LogSearch): UnknownOutcomeError {
    const { entry } = this.#dispatch;
    const { reason, ...where } = search === undefined ? { reason: why } : unfound(why, search);
    return new UnknownOutcomeError(reason, {
      cause,
      id: this.parcel.id,
      ...(entry === undefined ? {} : { since: new Date(entry.startedAt) }),
      ...where,
    });
  }
}
