import type { Clock } from "./clock.js";
import type { RateLimit } from "./rate-limit.js";

/** The right to make one request; exactly one of these ends it. */
export interface Turn {
  answered(answer: PacedAnswer): void;
  /** No answer came, but the request may have been counted. */
  lost(): void;
  /** The request surely never reached the service. */
  unused(): void;
}

export interface TurnOptions {
  readonly signal?: AbortSignal;
  /** For a second try of a call: goes before those that wait. */
  readonly first: boolean;
  /** Called when its turn is known to come no earlier than in so many milliseconds. Of several that wait, the first one is told. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
}

export interface PacedAnswer {
  readonly rateLimit?: RateLimit;
  /** Milliseconds until the service lets a request in again, by its own clock, where it said so. */
  readonly resetMs?: number;
  /** Whether it was a 429. */
  readonly refused: boolean;
}

/** How long the first call of an endpoint keeps the others back, whose limit only its answer tells. */
const FIRST_ANSWER_MS = 500;
/** The headers have whole seconds, and a service may round them down. */
const ROUNDING_MS = 1000;
/** Limits are by the minute; a wait that seems longer is about a clock that is wrong, or about something else. */
const WINDOW_MS = 60_000;

interface Waiter {
  readonly onWait: TurnOptions["onWait"];
  serve(): void;
  fail(error: unknown): void;
}

/**
 * The pace of one endpoint. It makes no window of its own: it knows how many requests the service would surely still let
 * in, and when that is none, waits until the service's reset, tries one, and learns from its answer. So it keeps to
 * windows that slide, windows that are fixed, and to a limit that others use up too.
 */
export class EndpointPace {
  /** Requests that the service would surely let in; more may be possible. */
  #left = 0;
  /** Whether an answer has told the limit. */
  #known = false;
  #underWay = 0;
  /** Answers so far: by it a request knows which others overlapped with it. */
  #answers = 0;
  /** From then on one request may be tried, although none is left. */
  #resetAt: number;
  /** Until then nothing goes: the service refused a request with 429. */
  #heldUntil: number;
  /** Until when a waiter was told that it has to wait. */
  #announcedUntil = 0;
  /** The request that is being tried, and until when it keeps the others back. */
  #trial: { readonly until: number } | undefined;
  readonly #queue: Waiter[] = [];
  #cancelWake: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    /** Requests a minute that the document promises to every account, for as long as no answer has told. */
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

  /** Fails everyone who waits. */
  fail(error: unknown): void {
    this.#cancelWake?.();
    for (const waiter of this.#queue.splice(0)) waiter.fail(error);
  }

  #isOpen(): boolean {
    return this.clock.now() >= this.#opensAt();
  }

  #opensAt(): number {
    if (this.#left > 0) return this.#heldUntil;
    // All that every account may do is under way: how much more there is, the first answer tells.
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

  /** Tells the first waiter of a wait for the service's limit. How long a request under way takes, nobody knows. */
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
      // The first answer has been waited for long enough: what every account may do is done.
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

  /** @param overlapping Requests that the answer's `remaining` may or may not have counted. */
  #learn({ rateLimit, resetMs, refused }: PacedAnswer, overlapping: number): void {
    const now = this.clock.now();
    const wait = Math.min(resetMs ?? 0, WINDOW_MS);
    if (refused) {
      this.#heldUntil = Math.max(this.#heldUntil, now + wait);
      // A refusal says when to come back, which goes before the end of the window that earlier answers told.
      if (resetMs !== undefined) this.#resetAt = this.#heldUntil;
    } else if (resetMs !== undefined) this.#resetAt = Math.max(this.#resetAt, now + wait + ROUNDING_MS);
    const remaining = refused ? 0 : rateLimit?.remaining;
    if (remaining !== undefined) {
      this.#known = true;
      this.#left = Math.min(remaining, Math.max(this.#left, remaining - overlapping));
    } else if (!this.#known) {
      // A service that counts nothing.
      this.#left = Number.POSITIVE_INFINITY;
    }
  }
}
