import type { Clock } from "./clock.js";
import type { RateLimit } from "./rate-limit.js";

/** The right to make one request; exactly one of these methods ends it. */
export interface Turn {
  answered(answer: PacedAnswer): void;
  /** There was no answer, but the request may have been counted. */
  lost(): void;
  /** The request definitely never reached the service. */
  unused(): void;
}

export interface TurnOptions {
  readonly signal?: AbortSignal;
  /** For a retry: goes before waiting calls. */
  readonly first: boolean;
  /**
   * Called when the turn cannot come earlier than in this many milliseconds. Only the first of several waiting calls is
   * notified.
   */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
}

export interface PacedAnswer {
  readonly rateLimit?: RateLimit;
  /** Milliseconds until the service accepts requests again, by its own clock, if it said so. */
  readonly resetMs?: number;
  /** Whether it was a 429. */
  readonly refused: boolean;
}

/** How long (ms) the first call of an endpoint delays others, because only its answer reveals the limit. */
const FIRST_ANSWER_MS = 500;
/** The headers have whole seconds, which a service may have rounded down. */
const ROUNDING_MS = 1000;
/** Limits are per minute; a longer wait indicates a wrong clock, or a different meaning. */
const WINDOW_MS = 60_000;

interface Waiter {
  readonly onWait: TurnOptions["onWait"];
  serve(): void;
  fail(error: unknown): void;
}

/**
 * The pace of one endpoint. It does not define its own window: it knows how many requests the service would definitely
 * accept; when that is none, it waits for the service's reset, tries one, and learns from its answer. This works for
 * sliding and fixed windows, and for limits that other clients also use up.
 */
export class EndpointPace {
  /** Requests that the service would certainly accept; there may be more. */
  #left = 0;
  /** Whether an answer has revealed the limit. */
  #known = false;
  #underWay = 0;
  /** Number of answers so far, by which a request knows which others overlapped with it. */
  #answers = 0;
  /** From this time on, one request may be tried although none is left. */
  #resetAt: number;
  /** Until this time, nothing is sent: the service refused a request with 429. */
  #heldUntil: number;
  /** The time until which a waiting call must wait. */
  #announcedUntil = 0;
  /** The request that is being tried, and until when it delays the others. */
  #trial: { readonly until: number } | undefined;
  readonly #queue: Waiter[] = [];
  #cancelWake: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    /** Requests per minute that the documentation promises to every account; used until an answer reveals the limit. */
    private readonly promised: number,
  ) {
    this.#resetAt = clock.now();
    this.#heldUntil = this.#resetAt;
  }

  turn({ signal, first, onWait }: TurnOptions): Turn | Promise<Turn> {
    if (this.#queue.length === 0 && this.#isOpen()) return this.#start();
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const abort = () => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        onWait,
        serve: () => {
          signal?.removeEventListener("abort", abort);
          resolve(this.#start());
        },
        fail: (error) => {
          signal?.removeEventListener("abort", abort);
          reject(error);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      if (first) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#serve();
    });
  }

  /** Fails all waiting calls. */
  fail(error: unknown): void {
    this.#cancelWake?.();
    for (const waiter of this.#queue.splice(0)) waiter.fail(error);
  }

  #isOpen(): boolean {
    return this.clock.now() >= this.#opensAt();
  }

  #opensAt(): number {
    if (this.#left > 0) return this.#heldUntil;
    // Everything that is promised is in progress: the first answer reveals whether more is possible.
    if (!this.#known && this.#underWay >= this.promised) return Number.POSITIVE_INFINITY;
    return Math.max(this.#heldUntil, this.#resetAt, this.#trial?.until ?? this.#resetAt);
  }

  #serve(): void {
    while (this.#queue.length > 0 && this.#isOpen()) this.#queue.shift()?.serve();
    this.#cancelWake?.();
    this.#cancelWake = undefined;
    if (this.#queue.length === 0) return;
    const opensAt = this.#opensAt();
    if (opensAt === Number.POSITIVE_INFINITY) return;
    this.#cancelWake = this.clock.after(Math.max(0, opensAt - this.clock.now()), () => this.#serve());
    this.#announce();
  }

  /**
   * Notifies the first waiting call of a wait for the service's limit. The duration of requests in progress is unknown.
   */
  #announce(): void {
    const limitedUntil = this.#left > 0 ? this.#heldUntil : Math.max(this.#heldUntil, this.#resetAt);
    if (limitedUntil <= Math.max(this.clock.now(), this.#announcedUntil)) return;
    this.#announcedUntil = limitedUntil;
    this.#queue[0]?.onWait?.(limitedUntil - this.clock.now());
  }

  #start(): Turn {
    let trial: { readonly until: number } | undefined;
    if (this.#left > 0) this.#left -= 1;
    else {
      // The first answer has taken too long: use what is promised to every account.
      if (!this.#known && this.#trial !== undefined) this.#left = Math.max(0, this.promised - this.#underWay - 1);
      trial = { until: this.clock.now() + (this.#known ? WINDOW_MS : FIRST_ANSWER_MS) };
      this.#trial = trial;
    }
    this.#underWay += 1;
    const answersBefore = this.#answers;
    const end = () => {
      this.#underWay -= 1;
      if (this.#trial === trial) this.#trial = undefined;
    };
    return {
      answered: (answer) => {
        end();
        this.#learn(answer, this.#underWay + this.#answers - answersBefore);
        this.#answers += 1;
        this.#serve();
      },
      lost: () => {
        end();
        this.#serve();
      },
      unused: () => {
        end();
        if (trial === undefined) this.#left += 1;
        this.#serve();
      },
    };
  }

  /** @param overlapping Requests that the answer's `remaining` may or may not include. */
  #learn({ rateLimit, resetMs, refused }: PacedAnswer, overlapping: number): void {
    const now = this.clock.now();
    const wait = Math.min(resetMs ?? 0, WINDOW_MS);
    if (refused) {
      this.#heldUntil = Math.max(this.#heldUntil, now + wait);
      // A refusal says when to retry, which overrides the window's end from earlier answers.
      if (resetMs !== undefined) this.#resetAt = this.#heldUntil;
    } else if (resetMs !== undefined) this.#resetAt = Math.max(this.#resetAt, now + wait + ROUNDING_MS);
    const remaining = refused ? 0 : rateLimit?.remaining;
    if (remaining !== undefined) {
      this.#known = true;
      this.#left = Math.min(remaining, Math.max(this.#left, remaining - overlapping));
    } else if (!this.#known) {
      // A service without limits.
      this.#left = Number.POSITIVE_INFINITY;
    }
  }
}
