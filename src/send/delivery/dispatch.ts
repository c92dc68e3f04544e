import { backoff, type Backoff, TIMER_MAX } from "../../api/calls/timing.js";
import { RateLimitedError, SendAbortedError, SendUnreachableError, ExpiredError } from "../errors.js";
import { ClosedError, type Pass, type PendingSend } from "./breaker.js";
import type { CourierOptions } from "./courier.js";
import { waitForIdentical } from "./reconcile.js";
import type { LedgerEntry } from "../store/ledger.js";
import type { KnownRequest } from "./lookup.js";
import {
  correlationOf,
  type CourierContext,
  keepAlive,
  LEASE_MS,
  messageIdOf,
  type Traces,
  withCorrelation,
} from "./context.js";
import type { Attempt, OutgoingMessage } from "./transport.js";
import { factsOf, type OfMessage } from "../events.js";
import type { Parcel } from "../parcel.js";
import { type Clock, sleep } from "../clock.js";
import { anySignal } from "../any-signal.js";

/** The result of a request that may have reached the service. */
export type RequestOutcome = Extract<Attempt, { readonly outcome: "accepted" | "rejected" | "unknown" }> & {
  readonly durationMs: number;
};

type Slot = Awaited<ReturnType<CourierContext["pace"]["acquire"]>>;

type NotSent = Extract<Attempt, { readonly outcome: "not sent" }>;

/** Between tries of a message that is deferred. */
const DEFERRED_PAUSE: Backoff = { firstMs: 1_000, longestMs: 30_000 };

/** A message with this much time is patient: it outlasts an outage and lets urgent ones go first. */
const PATIENT_MS = 60_000;

/**
 * Brings one parcel to the service: waits for its turn, makes the request, and retries if it definitely did not arrive.
 */
export class Dispatch {
  readonly traveller: PendingSend;
  readonly facts: OfMessage;
  /** The ledger's entry, while a request is in progress or in doubt. */
  entry: KnownRequest | undefined;
  /** Whether an earlier request may have arrived. */
  inDoubt = false;
  readonly #message: OutgoingMessage;
  readonly #mails: number;
  readonly #timeoutMs: number;
  readonly #startedAt: number;
  #requests = 0;
  #turns = 0;
  #lastFailure: NotSent | undefined;
  #deferrals = 0;
  #release: (() => void) | undefined;

  constructor(
    private readonly parcel: Parcel,
    private readonly traces: Traces,
    private readonly options: CourierOptions,
    private readonly waits: Waits,
    private readonly context: CourierContext,
  ) {
    this.facts = factsOf(parcel);
    const address = correlationOf(parcel.id, context);
    this.#message = {
      messageId: messageIdOf(parcel.id, context.domain),
      email: withCorrelation(parcel.email, address),
    };
    this.#mails = traces.wanted.recipients.length + (address === undefined ? 0 : 1);
    this.#timeoutMs = options.timeoutMs ?? context.timeoutMs;
    this.#startedAt = context.clock.now();
    this.traveller = {
      priority: parcel.priority,
      patient: options.maxWait > PATIENT_MS,
      harmless: parcel.onUnknown === "resend",
      deadline: waits.deadline,
      signal: waits.signal,
    };
  }

  /**
   * Makes requests until one of them may have arrived.
   *
   * @throws {SendError} None has.
   */
  async run(): Promise<RequestOutcome> {
    for (;;) {
      const outcome = await this.#try();
      if (outcome !== undefined) return outcome;
    }
  }

  /** The ledger's entry has ended or is being passed to another process. */
  release(): void {
    this.#release?.();
    this.#release = undefined;
  }

  /** Undefined if nothing arrived and there is time for another try. */
  async #try(): Promise<RequestOutcome | undefined> {
    const { breaker, pace } = this.context;
    const { signal } = this.waits;
    this.waits.check();
    if (!breaker.isReady(this.traveller)) await this.#getReady();
    const slot = await pace.acquire({
      priority: this.parcel.priority,
      maxWaitMs: this.waits.leftMs,
      signal,
      requestMs: this.#timeoutMs,
      first: this.#turns > 0,
      mails: this.#mails,
    });
    this.#turns += 1;
    let pass: Pass | undefined;
    let twin: LedgerEntry | undefined;
    try {
      pass = await breaker.enter(this.traveller);
      if (pass === undefined || slot.lapsed) return undefined;
      twin = await this.#begin();
      if (twin === undefined && (await this.#mayLeave(slot))) return await this.#request(slot, pass);
    } finally {
      // After a request, these have ended already.
      pass?.left();
      void slot.unused();
    }
    if (twin === undefined) await this.#retract();
    else await waitForIdentical(twin, this.traces, this.waits, this.context);
    return undefined;
  }

  async #getReady(): Promise<void> {
    await this.context.breaker.ready(this.traveller).catch((error: unknown) => {
      throw error instanceof ClosedError ? this.#unreachable(this.#lastFailure) : error;
    });
  }

  /** Returns the identical parcel that is in progress, if there is one. */
  async #begin(): Promise<LedgerEntry | undefined> {
    const { ledger, clock, twins } = this.context;
    const { fingerprint, likeness } = this.traces;
    const entry = { id: this.parcel.id, fingerprint, likeness };
    const startedAt = clock.time();
    const twin = await ledger.begin(entry, LEASE_MS);
    if (twin !== undefined) return twin;
    this.entry ??= { ...entry, startedAt };
    if (this.#release === undefined) {
      const stop = keepAlive(ledger, entry.id, clock);
      const leave = twins.enter(entry.id);
      this.#release = () => {
        stop();
        leave();
      };
    }
    return undefined;
  }

  /** @throws {SendError} It must no longer be sent. */
  async #mayLeave(slot: Slot): Promise<boolean> {
    const { mayLeave } = this.options;
    try {
      if (mayLeave !== undefined && !(await mayLeave()))
        throw new SendAbortedError({ cause: new Error("Another process has taken over the message.") });
      this.waits.check();
      return !slot.lapsed;
    } catch (error) {
      return await this.#retracted(error);
    }
  }

  async #request(slot: Slot, pass: Pass): Promise<RequestOutcome | undefined> {
    const { connection, checkOwner, pace, clock, publish } = this.context;
    const { signal } = this.options;
    const leftAt = clock.now();
    this.#requests += 1;
    publish({ type: "attempt", ...this.facts, attempt: this.#requests, waitedMs: leftAt - this.#startedAt });
    let result: Attempt;
    try {
      await checkOwner();
      result = await connection.transport.deliver(this.#message, { slot, timeoutMs: this.#timeoutMs, signal });
    } catch (error) {
      return await this.#retracted(error);
    }
    switch (result.outcome) {
      case "accepted":
      case "rejected":
        pass.answered();
        return { durationMs: clock.now() - leftAt, ...result };
      case "unknown":
        pass.failed(signal?.aborted ? "aborted" : "unknown");
        return { durationMs: clock.now() - leftAt, ...result };
      case "held":
        await pace.hold(result.waitMs);
        pass.answered();
        await this.#retract();
        // The pace keeps the pause for all messages.
        if (result.waitMs <= this.waits.leftMs) return undefined;
        throw new RateLimitedError(result.waitMs, { cause: result.cause, reason: result.reason });
      case "deferred":
        pass.answered();
        await this.#retract();
        await this.#defer(result);
        return undefined;
      case "aborted":
        await this.#retract();
        throw new SendAbortedError({ cause: signal?.reason });
      case "not sent":
        break;
    }
    pass.failed("unreachable");
    await this.#retract();
    this.#again(result);
    return undefined;
  }

  /**
   * A waiting caller waits here; a queued message goes back to the queue, so that others are sent meanwhile.
   *
   * @throws {RateLimitedError} There is no time for another try.
   */
  async #defer({ reason, cause }: Extract<Attempt, { readonly outcome: "deferred" }>): Promise<void> {
    const { clock, publish } = this.context;
    const { leftMs, signal } = this.waits;
    this.#deferrals += 1;
    const delayMs = backoff(this.#deferrals, DEFERRED_PAUSE);
    if (delayMs > leftMs || leftMs === Number.POSITIVE_INFINITY)
      throw new RateLimitedError(delayMs, { cause, reason, limit: "message" });
    publish({ type: "retry", ...this.facts, reason, delayMs });
    await sleep(clock, delayMs, signal);
  }

  /** @throws {SendUnreachableError} There is no time for another try. */
  #again(failure: NotSent): void {
    const { breaker, clock, publish } = this.context;
    const delayMs = breaker.delay(this.traveller);
    if (clock.now() + delayMs > this.waits.deadline) throw this.#unreachable(failure);
    this.#lastFailure = failure;
    publish({ type: "retry", ...this.facts, reason: failure.reason, delayMs });
  }

  #unreachable({ cause, detail: reason, hint }: Partial<NotSent> = {}): SendUnreachableError {
    return new SendUnreachableError(this.context.connection.transport.url, { cause, reason, hint });
  }

  /** The latest request did not arrive; an earlier one may have. */
  async #retract(): Promise<void> {
    if (this.inDoubt) return;
    this.entry = undefined;
    await this.context.ledger.end(this.parcel.id, "not sent");
    this.release();
  }

  async #retracted(error: unknown): Promise<never> {
    await this.#retract();
    throw error;
  }
}

export class Waits {
  /** After a request was made: closing and the caller's signal. */
  readonly stop: AbortSignal;
  /** Before the first request: also the message's expiry. */
  readonly signal: AbortSignal;
  /** By `clock.now()`. */
  readonly deadline: number;
  readonly #expiresAt: number;
  readonly #ends: (() => void)[] = [];

  constructor(
    { expiresAt = Number.POSITIVE_INFINITY }: Pick<Parcel, "expiresAt">,
    { maxWait, signal: own, closing }: Pick<CourierOptions, "maxWait" | "signal" | "closing">,
    private readonly clock: Clock,
  ) {
    this.#expiresAt = expiresAt;
    this.deadline = clock.now() + maxWait;
    this.stop = own === undefined ? closing : this.#any(closing, own);
    this.signal = expiresAt === Number.POSITIVE_INFINITY ? this.stop : this.#any(this.stop, this.#expiry());
  }

  get leftMs(): number {
    return Math.max(0, this.deadline - this.clock.now());
  }

  /** @throws The signal's reason, if waiting has to end now. */
  check(): void {
    this.signal.throwIfAborted();
    if (this.clock.time() >= this.#expiresAt) throw new ExpiredError();
  }

  /** Like `stop`, and aborted at the deadline. */
  untilDeadline(): AbortSignal {
    const over = new AbortController();
    const left = this.leftMs;
    if (left <= TIMER_MAX) this.#ends.push(this.clock.after(left, () => over.abort(new Error("maxWait is over."))));
    return this.#any(this.stop, over.signal);
  }

  /** Translates the error that ended a wait for the caller. */
  errorOf(error: unknown): unknown {
    const isEnd = this.signal.aborted && error === this.signal.reason && !(error instanceof ExpiredError);
    return isEnd ? new SendAbortedError({ cause: error }) : error;
  }

  /** Removes all listeners and timers. */
  end(): void {
    for (const end of this.#ends) end();
  }

  #expiry(): AbortSignal {
    const { clock } = this;
    const expiry = new AbortController();
    let cancel = () => {};
    const expireInTime = () => {
      if (clock.time() >= this.#expiresAt) expiry.abort(new ExpiredError());
      // A timer cannot run for months, and may fire slightly early.
      else cancel = clock.after(Math.max(1, this.#expiresAt - clock.time()), expireInTime);
    };
    expireInTime();
    this.#ends.push(() => cancel());
    return expiry.signal;
  }

  #any(...sources: readonly AbortSignal[]): AbortSignal {
    const { signal, detach } = anySignal(sources);
    this.#ends.push(detach);
    return signal;
  }
}
