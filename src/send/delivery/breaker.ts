import type { Clock } from "../clock.js";
import type { Publish } from "../events/events.js";
import { Asking, type SignOfLife } from "./asking.js";
import { Lanes } from "./lanes.js";
import type { Traveller } from "./traveller.js";

export interface BreakerOptions {
  readonly clock: Clock;
  readonly publish: Publish;
  /** Those who have time go so many at once, others four times as many. */
  readonly lanes: number;
  /** Asks the service for something that changes nothing; for a mail that cannot be sent only where that is wanted. */
  readonly ask: (signal: AbortSignal, sending: boolean) => Promise<SignOfLife>;
}

/** The right to make a request now. The first of these ends it. */
export interface Pass {
  /** Any answer that decides. */
  answered(): void;
  failed(how: Failure): void;
  /** It did not leave, or its end says nothing of the service. */
  left(): void;
}

/** `unreachable` is what surely did not arrive; `aborted` what its caller gave up on its way, which may mean nothing. */
export type Failure = "unknown" | "unreachable" | "aborted";

/** Nothing leaves before somebody's time is over. */
export class ClosedError extends Error {}

/** So many failures in a row are an outage. */
const OUTAGE = 3;
const FIRST_BACKOFF_MS = 200;
const LONGEST_BACKOFF_MS = 30_000;
/** Until a mail is risked although nothing shows that sending works again: it may be one more of which nobody knows. */
const RISK_MS = 90 * 60_000;

/**
 * Keeps an outage from making many sends unknown. While all goes well it only limits how many are under way at once. After
 * a failure one goes at a time, at growing intervals. After an unknown outcome none does until the service has answered
 * something that changes nothing; after a second one in a row, until it has refused a mail that cannot be sent, which shows
 * that those that can be are taken again.
 *
 * @example
 * await breaker.ready(traveller);
 * const pass = await breaker.enter(traveller);
 * if (pass !== undefined) try { await send(); pass.answered(); } catch { pass.failed("unknown"); }
 */
export class Breaker {
  readonly #clock: Clock;
  readonly #publish: Publish;
  readonly #lanes: Lanes;
  readonly #asking: Asking;
  readonly #waiting = new Set<() => void>();
  #failures = 0;
  #unknowns = 0;
  #failedAt = 0;
  /** What has answered since the last unknown outcome. */
  #sign: SignOfLife = "sending";

  constructor({ clock, publish, lanes, ask }: BreakerOptions) {
    this.#clock = clock;
    this.#publish = publish;
    this.#lanes = new Lanes(lanes);
    this.#asking = new Asking(
      clock,
      (signal) => ask(signal, this.#unknowns > 1),
      (sign) => this.heard(sign),
    );
  }

  /** Whether the traveller may try now. */
  isReady(traveller: Traveller): boolean {
    return this.#readyAt(traveller) <= this.#clock.now();
  }

  /**
   * Waits until the traveller may try.
   *
   * @throws {ClosedError} That will not be in time; at once, as far as that is known.
   * @throws The signal's reason, when it is aborted.
   */
  async ready(traveller: Traveller): Promise<void> {
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
   * Waits until there is a lane, which is not long; undefined where something failed meanwhile, so that the traveller has
   * to get ready again.
   *
   * @throws The signal's reason, when it is aborted.
   */
  async enter(traveller: Traveller): Promise<Pass | undefined> {
    const free = await this.#lanes.enter(traveller, () => this.#lanes.used > 0 || this.isReady(traveller));
    return free && this.#pass(free);
  }

  /** Milliseconds until the traveller may try, as far as it can be known. */
  delay(traveller: Traveller): number {
    const readyAt = this.#readyAt(traveller);
    const soonest = readyAt === Number.POSITIVE_INFINITY ? this.#asking.nextAt : readyAt;
    return Math.max(0, soonest - this.#clock.now());
  }

  /** What of the service answered a request that changes nothing. */
  heard(sign: SignOfLife): void {
    if (sign === "sending") this.#asking.reset();
    if (this.#sign !== "sending") this.#sign = sign;
    this.#changed();
  }

  /** One of unknown outcome was found in the log: sending works. */
  found(): void {
    this.#recover();
    this.#changed();
  }

  /** Long ago where all is well; infinite where something else has to happen first. */
  #readyAt({ harmless }: Traveller): number {
    if (this.#failures === 0) return Number.NEGATIVE_INFINITY;
    if (this.#lanes.used > 0 || this.#sign === "none") return Number.POSITIVE_INFINITY;
    const backoff = Math.min(FIRST_BACKOFF_MS * 2 ** (this.#failures - 1), LONGEST_BACKOFF_MS);
    if (this.#unknowns === 0) return this.#failedAt + backoff;
    if (this.#sign === "sending" || (this.#sign === "log" && this.#unknowns === 1)) return this.#failedAt;
    return this.#failedAt + (harmless ? LONGEST_BACKOFF_MS : RISK_MS);
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

  #fail(how: Failure): void {
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

  /** Until something changes, but no longer than so many milliseconds. */
  async #change(milliseconds: number, { signal }: Traveller): Promise<void> {
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
    // Whoever was woken may wait again in the same turn.
    setImmediate(() => this.#waiting.size === 0 && this.#asking.stop());
  }
}
