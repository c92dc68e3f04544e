import { type Backoff, backoff } from "../../api/calls/timing.js";
import { type Clock, sleep } from "../clock.js";
import type { Publish } from "../events.js";
import type { Priority } from "../parcel.js";

interface Waiting {
  readonly traveller: PendingSend;
  readonly isOpen: () => boolean;
  go(free: (() => void) | undefined): void;
}

/**
 * Limits concurrent requests. The first one runs alone, and each answer allows one more: when an outage begins, few are
 * affected.
 */
class Lanes {
  readonly #max: number;
  #width = 1;
  #alone = false;
  #used = 0;
  #waiting: Waiting[] = [];

  constructor(most: number) {
    this.#max = Math.max(1, Math.floor(most));
  }

  get used(): number {
    return this.#used;
  }

  /**
   * Waits for a free lane: first come, first served, urgent ones before others.
   *
   * @returns A function that frees the lane; undefined if `isOpen` returns false before one was free.
   * @throws The signal's reason, when it is aborted.
   */
  enter(traveller: PendingSend, isOpen: () => boolean): (() => void) | undefined | Promise<(() => void) | undefined> {
    const { signal } = traveller;
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#used < this.#room(traveller)) return isOpen() ? this.#take() : undefined;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        traveller,
        isOpen,
        go: (free) => {
          signal.removeEventListener("abort", abort);
          resolve(free);
        },
      };
      signal.addEventListener("abort", abort, { once: true });
      if (traveller.priority === "high") this.#waiting.unshift(waiting);
      else this.#waiting.push(waiting);
      this.serve();
    });
  }

  /** A request succeeded: allow one more. */
  widen(): void {
    this.#width = Math.min(this.#width + 1, 4 * this.#max);
    this.#alone = false;
  }

  /** A request failed: allow one at a time. */
  narrow(): void {
    this.#width = 1;
    this.#alone = true;
  }

  /** Starts every waiting traveller that may go. */
  serve(): void {
    for (const waiting of this.#waiting) {
      const open = waiting.isOpen();
      if (open && this.#used >= this.#room(waiting.traveller)) continue;
      this.#waiting = this.#waiting.filter((other) => other !== waiting);
      waiting.go(open ? this.#take() : undefined);
    }
  }

  #take(): () => void {
    this.#used += 1;
    return () => {
      this.#used -= 1;
      this.serve();
    };
  }

  /** An urgent message does not wait for the answer to another. */
  #room({ patient, priority }: PendingSend): number {
    if (this.#alone) return 1;
    return Math.min(this.#width, patient ? this.#max : 4 * this.#max) + (priority === "high" ? 1 : 0);
  }
}

export interface BreakerOptions {
  readonly clock: Clock;
  readonly publish: Publish;
  /** Maximum concurrent requests of patient travellers; others may have four times as many. */
  readonly lanes: number;
  /** Makes a harmless request; with `sending`, also tries an email that cannot be sent. */
  readonly ask: (signal: AbortSignal, sending: boolean) => Promise<SignOfLife>;
  /** As in `Transport`. */
  readonly risk: Backoff;
}

/** The right to make a request now. The first call of these methods ends it. */
export interface Pass {
  /** The service gave a definite answer. */
  answered(): void;
  failed(how: RequestFailure): void;
  /** The request was not made, or its end says nothing about the service. */
  left(): void;
}

/**
 * `unreachable` definitely did not arrive; `aborted` was given up by its caller during the request, which may mean
 * nothing.
 */
export type RequestFailure = "unknown" | "unreachable" | "aborted";

/** Nothing can be sent before the traveller's deadline. */
export class ClosedError extends Error {}

/** This many failures in a row are an outage. */
const OUTAGE = 3;
const BACKOFF: Backoff = { firstMs: 200, longestMs: 30_000 };

/**
 * Keeps an outage from making many outcomes unknown. While all goes well, it only limits concurrency. After a failure,
 * one request is made at a time, at growing intervals. After an unknown outcome, none is made until the service has
 * answered a harmless request; after a second one in a row, until it has refused an email that cannot be sent, which
 * shows that it accepts emails again.
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #publish: Publish;
  readonly #lanes: Lanes;
  readonly #asking: OutageProbe;
  readonly #risk: Backoff;
  readonly #waiting = new Set<() => void>();
  #failures = 0;
  #unknowns = 0;
  #failedAt = 0;
  /** What has answered since the last unknown outcome. */
  #sign: SignOfLife = "sending";

  constructor({ clock, publish, lanes, ask, risk }: BreakerOptions) {
    this.#clock = clock;
    this.#risk = risk;
    this.#publish = publish;
    this.#lanes = new Lanes(lanes);
    this.#asking = new OutageProbe(
      clock,
      (signal) => ask(signal, this.#unknowns > 1),
      (sign) => this.noteSign(sign),
    );
  }

  isReady(traveller: PendingSend): boolean {
    return this.#readyAt(traveller) <= this.#clock.now();
  }

  /**
   * Waits until the traveller may try.
   *
   * @throws {ClosedError} That will not be in time. Thrown immediately if already known.
   * @throws The signal's reason, when it is aborted.
   */
  async ready(traveller: PendingSend): Promise<void> {
    const { signal, deadline } = traveller;
    for (;;) {
      signal.throwIfAborted();
      const now = this.#clock.now();
      const readyAt = this.#readyAt(traveller);
      if (readyAt <= now) return;
      const atTheEarliest = this.#sign === "sending" ? readyAt : Math.min(readyAt, this.#asking.nextAt);
      if (now >= deadline || (atTheEarliest > deadline && this.#lanes.used === 0)) throw new ClosedError();
      await this.#change(Math.min(readyAt, deadline) - now, traveller);
    }
  }

  /**
   * Waits for a free lane, usually not long. Returns undefined if something failed meanwhile: then the traveller must
   * call `ready` again.
   *
   * @throws The signal's reason, when it is aborted.
   */
  async enter(traveller: PendingSend): Promise<Pass | undefined> {
    const free = await this.#lanes.enter(traveller, () => this.#lanes.used > 0 || this.isReady(traveller));
    return free && this.#pass(free);
  }

  /** Milliseconds until the traveller may try, as far as is known. */
  delay(traveller: PendingSend): number {
    const readyAt = this.#readyAt(traveller);
    const soonest = readyAt === Number.POSITIVE_INFINITY ? this.#asking.nextAt : readyAt;
    return Math.max(0, soonest - this.#clock.now());
  }

  /** Part of the service has answered a harmless request. */
  noteSign(sign: SignOfLife): void {
    if (sign === "sending") this.#asking.reset();
    if (this.#sign !== "sending") this.#sign = sign;
    this.#changed();
  }

  /** A message of unknown outcome was found in the log, so sending works. */
  found(): void {
    this.#recover();
    this.#changed();
  }

  /** Negative infinity if all is well; infinity if something else must happen first. */
  #readyAt({ harmless }: PendingSend): number {
    if (this.#failures === 0) return Number.NEGATIVE_INFINITY;
    if (this.#lanes.used > 0 || this.#sign === "none") return Number.POSITIVE_INFINITY;
    if (this.#unknowns === 0) return this.#failedAt + backoff(this.#failures, BACKOFF);
    if (this.#sign === "sending" || (this.#sign === "log" && this.#unknowns === 1)) return this.#failedAt;
    return this.#failedAt + (harmless ? BACKOFF.longestMs : backoff(Math.max(1, this.#unknowns - 1), this.#risk));
  }

  #pass(free: () => void): Pass {
    let over = false;
    const end = (learn: () => void) => () => {
      if (over) return;
      over = true;
      learn();
      free();
      this.#changed();
    };
    return {
      left: end(() => undefined),
      answered: end(() => this.#succeed()),
      failed: (how) => end(() => this.#fail(how))(),
    };
  }

  #succeed(): void {
    this.#lanes.widen();
    this.#recover();
  }

  #recover(): void {
    const wasOpen = this.#failures >= OUTAGE;
    this.#failures = 0;
    this.#unknowns = 0;
    this.#sign = "sending";
    this.#asking.reset();
    if (wasOpen) this.#publish({ type: "breaker-closed" });
  }

  #fail(how: RequestFailure): void {
    this.#failedAt = this.#clock.now();
    this.#lanes.narrow();
    if (how !== "unreachable") this.#sign = "none";
    if (how === "unknown") this.#unknowns += 1;
    if (how === "aborted") this.#unknowns = Math.max(1, this.#unknowns);
    this.#failures = how === "aborted" ? Math.max(1, this.#failures) : this.#failures + 1;
    if (how !== "aborted" && this.#failures === OUTAGE) this.#publish({ type: "breaker-open", failures: OUTAGE });
  }

  #changed(): void {
    this.#lanes.serve();
    for (const wake of this.#waiting) wake();
  }

  /** Waits until something changes, at most for this many milliseconds. */
  async #change(milliseconds: number, { signal }: PendingSend): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        cancel?.();
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const cancel = milliseconds === Number.POSITIVE_INFINITY ? undefined : this.#clock.after(milliseconds, wake);
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
      if (this.#sign !== "sending") this.#asking.start();
    });
    // A traveller that was woken may wait again in the same turn.
    setImmediate(() => this.#waiting.size === 0 && this.#asking.stop());
  }
}

export interface PendingSend {
  readonly priority: Priority;
  /** Whether it can outlast an outage of a few seconds: queued messages can. */
  readonly patient: boolean;
  /** Whether an unknown outcome does no harm, because it would be sent again anyway. */
  readonly harmless: boolean;
  /** By `clock.now()`; it cannot wait longer. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

/** How much of the service answers: sending itself; the log, which is close to sending; or only another endpoint. */
export type SignOfLife = "none" | "account" | "log" | "sending";

const PAUSE: Backoff = { firstMs: 1000, longestMs: 30_000 };

/**
 * Sends the service harmless requests at growing intervals until it answers, to learn that an outage is over without
 * risking a message.
 */
export class OutageProbe {
  #asking: AbortController | undefined;
  #requests = 0;
  /** When the next request is made, by `clock.now()`. */
  nextAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly ask: (signal: AbortSignal) => Promise<SignOfLife>,
    private readonly onSign: (sign: SignOfLife) => void,
  ) {}

  start(): void {
    if (this.#asking !== undefined) return;
    this.#asking = new AbortController();
    void this.#run(this.#asking.signal);
  }

  /** Nobody is waiting for the answer now. `nextAt` stays unchanged. */
  stop(): void {
    this.#asking?.abort();
    this.#asking = undefined;
  }

  /** The service has answered this or another request. */
  reset(): void {
    this.stop();
    this.#requests = 0;
    this.nextAt = 0;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock } = this;
    const aborted = () => signal.aborted;
    while (!aborted()) {
      await sleep(clock, Math.max(0, this.nextAt - clock.now()), signal).catch(() => undefined);
      if (aborted()) return;
      const sign = await this.ask(signal);
      if (aborted()) return;
      this.#requests += 1;
      this.nextAt = clock.now() + backoff(this.#requests, PAUSE);
      this.onSign(sign);
    }
  }
}
