import type { TimerClock } from "./timing.js";

/** Headers of an answer, with lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** An answer's rate limit for its endpoint (part 8). A property is undefined if its header is absent or invalid. */
export interface RateLimit {
  /** Requests that the window allows. */
  readonly limit?: number;
  /** Requests that are left in the window. */
  readonly remaining?: number;
  /** When the window ends: Unix seconds, on the service's clock. */
  readonly reset?: number;
}

/** Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset`; undefined if all are absent. */
export function readRateLimit(headers: AnswerHeaders): RateLimit | undefined {
  const limit = wholeNumber(headers["x-ratelimit-limit"]);
  const remaining = wholeNumber(headers["x-ratelimit-remaining"]);
  const reset = wholeNumber(headers["x-ratelimit-reset"]);
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined;
  return { limit, remaining, reset };
}

/** A month: the service has no longer limit. A longer wait is a mistake, such as a time in milliseconds. */
const LONGEST_WAIT_SECONDS = 31 * 24 * 60 * 60;

/**
 * Seconds until a refused request may be retried: `Retry-After` as seconds, with or without decimals, or as an HTTP
 * date; otherwise the time until `X-RateLimit-Reset`. Both are measured on the service's clock if the answer has its
 * time. Waits of more than a month are ignored, since they would stop sending for good.
 */
export function readRetryAfter(headers: AnswerHeaders, now: number = Date.now()): number | undefined {
  const { "retry-after": retryAfter, "x-ratelimit-reset": reset, date } = headers;
  const time = httpDate(date) ?? now;
  const waits = [decimal(retryAfter), secondsFrom(time, httpDate(retryAfter)), resetIn(time, wholeNumber(reset))];
  return waits.find((seconds) => seconds !== undefined && seconds <= LONGEST_WAIT_SECONDS);
}

function secondsFrom(time: number, moment: number | undefined): number | undefined {
  return moment === undefined ? undefined : Math.max(0, Math.ceil((moment - time) / 1000));
}

function resetIn(time: number, reset: number | undefined): number | undefined {
  return reset === undefined ? undefined : Math.max(0, reset - Math.floor(time / 1000));
}

function decimal(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^\d{1,15}(?:\.\d{1,15})?$/.test(value.trim())) return undefined;
  return Number(value);
}

/**
 * Milliseconds since 1970 for a date in one of HTTP's three formats (RFC 9110, 5.6.7), of which only the oldest has no
 * time zone.
 */
function httpDate(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^[a-z]{3}/i.test(value.trim())) return undefined;
  const text = value.trim();
  const moment = Date.parse(/[a-z]$|[+-]\d{4}$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(moment) ? undefined : moment;
}

function wholeNumber(value: string | readonly string[] | undefined): number | undefined {
  if (typeof value !== "string" || !/^\d{1,15}$/.test(value.trim())) return undefined;
  return Number(value);
}

/** The right to make one request; exactly one of these methods ends it. They must not throw, and nothing waits for them. */
export interface RequestSlot {
  answered(answer: SlotAnswer): void | Promise<void>;
  /** There was no answer, but the request may have been counted. */
  lost(): void | Promise<void>;
  /** The request definitely never reached the service. */
  unused(): void | Promise<void>;
}

export interface SlotAnswer {
  readonly status: number;
  readonly rateLimit?: RateLimit;
  /** Milliseconds until the service accepts requests again, by its own clock, if it said so. */
  readonly resetMs?: number;
}

export interface SlotRequest {
  /** The number of the try within its call, from 1. */
  readonly attempt: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the milliseconds that the slot is known to take. Only the first of several waiting calls is notified. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
}

/** The reason if a wait for a slot ended because the client was closed. */
export const CLOSED = new Error("the client is closed");

/** How long (ms) the first call of an endpoint delays others, because only its answer reveals the limit. */
const FIRST_ANSWER_MS = 500;
/** The headers have whole seconds, which a service may have rounded down. */
const ROUNDING_MS = 1000;
/** Limits are per minute; a longer wait indicates a wrong clock, or a different meaning. */
const WINDOW_MS = 60_000;

interface Waiter {
  readonly onWait: SlotRequest["onWait"];
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
    private readonly clock: TimerClock,
    /** Requests per minute that the documentation promises to every account; used until an answer reveals the limit. */
    private readonly promised: number,
  ) {
    this.#resetAt = clock.now();
    this.#heldUntil = this.#resetAt;
  }

  /** A retry goes before other calls that wait. */
  slot({ signal, attempt, onWait }: SlotRequest) {
    if (this.#queue.length === 0 && this.#isOpen()) return this.#start();
    return new Promise<RequestSlot>((resolve, reject) => {
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
      if (attempt > 1) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#serve();
    });
  }

  /** Fails all waiting calls. */
  close(): void {
    this.#cancelWake?.();
    for (const waiter of this.#queue.splice(0)) waiter.fail(CLOSED);
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

  #start(): RequestSlot {
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
  #learn({ status, rateLimit, resetMs }: SlotAnswer, overlapping: number): void {
    const refused = status === 429;
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
