import { ConfigurationError } from "../../errors.js";
import { ServiceError, UnreachableError } from "../errors.js";
import { REQUESTS_PER_MINUTE, SENDS_PER_MINUTE } from "../limits.js";
import type { RateLimit } from "./answer.js";
import { type Backoff, backoff, systemClock, type TimerClock } from "./timing.js";

/**
 * When a client's requests are made, and which failed calls it repeats. The mailer and the commands pass their own. It
 * is not part of the public API: repeating a send without a ledger may send it twice.
 */
export interface CallPolicy {
  /** The right to make one request: at once or, if it has to wait for its turn, as a promise. */
  readonly slot: (request: PolicyRequest) => RequestSlot | Promise<RequestSlot>;
  /** Milliseconds until a failed call is tried again; undefined if it is not. */
  readonly retry: (failure: unknown, request: PolicyRequest) => number | undefined;
  /** Fails everything that waits for a slot. */
  readonly close?: () => void;
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

interface SlotRequest {
  /** The number of the try within its call, from 1. */
  readonly attempt: number;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the milliseconds that the slot is known to take. Only the first of several waiting calls is notified. */
  readonly onWait?: ((milliseconds: number) => void) | undefined;
}

/** One try of a call. */
interface PolicyRequest extends SlotRequest {
  readonly method: string;
  /** The path with its parameters' names: rate limits apply per endpoint. */
  readonly endpoint: string;
  readonly kind: CallKind;
  /** The call's own maximum of retries. */
  readonly retries?: number | undefined;
}

/** The effect of a call, which determines whether it may be repeated. */
export type CallKind = "read" | "write" | "send";

const freeSlot: RequestSlot = { answered: () => undefined, lost: () => undefined, unused: () => undefined };

/** For a caller that decides itself what to repeat: the client keeps to the service's limits. */
export const NO_RETRIES = { retry: () => undefined } satisfies Partial<CallPolicy>;

/** Makes each request at once, and repeats none. */
export const ONCE: CallPolicy = { slot: () => freeSlot, ...NO_RETRIES };

interface PolicySettings {
  readonly retries?: number;
  readonly pacing?: boolean;
  readonly clock?: TimerClock;
}

const RETRIES = 2;
const RETRY_BACKOFF: Backoff = { firstMs: 200, longestMs: 5000 };

/** Paces each endpoint by the limit in its answers, and repeats what had no effect or is only read. */
export function standardPolicy({ retries: maxRetries = RETRIES, pacing = true, clock = systemClock }: PolicySettings) {
  checkRetries(maxRetries);
  const paces = new Map<string, EndpointPace>();
  const paceOf = ({ method, endpoint, kind }: PolicyRequest): EndpointPace => {
    const name = `${method} ${endpoint}`;
    let pace = paces.get(name);
    if (pace === undefined) {
      // A parameter's name does not make a different endpoint.
      const key = name.replace(/:\w+/g, ":");
      pace = paces.get(key) ?? new EndpointPace(clock, kind === "send" ? SENDS_PER_MINUTE : REQUESTS_PER_MINUTE.free);
      paces.set(key, pace).set(name, pace);
    }
    return pace;
  };
  return {
    slot: pacing ? (request) => paceOf(request).slot(request) : ONCE.slot,
    retry: (failure, { kind, attempt, retries = maxRetries }) =>
      isRetryable(failure, kind) && attempt <= retries ? retryDelay(failure, attempt) : undefined,
    close() {
      for (const pace of paces.values()) pace.close();
    },
  } satisfies CallPolicy;
}

/** @throws ConfigurationError */
export function checkRetries(retries: number): void {
  if (!Number.isSafeInteger(retries) || retries < 0)
    throw new ConfigurationError(`retries is ${retries}; it must be a whole number, 0 or more.`);
}

/**
 * Whether a failed call is repeated. Reads always may be; writes only if they definitely had no effect: nothing was
 * sent, or they were refused with 429. Whether a refused email is sent again is up to the caller.
 */
function isRetryable(error: unknown, kind: CallKind): boolean {
  if (error instanceof UnreachableError) return kind === "read" || !error.requestSent;
  if (!(error instanceof ServiceError)) return false;
  if (error.status === 429) return kind !== "send";
  return kind === "read" && error.status >= 500;
}

/**
 * Half of the back-off is random, so that clients that failed together don't return together; at least what the service
 * asked for.
 */
function retryDelay(error: unknown, attempt: number): number {
  const longest = backoff(attempt, RETRY_BACKOFF);
  const jittered = longest / 2 + (Math.random() * longest) / 2;
  const requestedMs = error instanceof ServiceError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return requestedMs === 0 ? jittered : requestedMs + (Math.random() * RETRY_BACKOFF.firstMs) / 2;
}

/** The delay after a 429 that doesn't give one: the service counts by the minute. */
const RETRY_AFTER_SECONDS = 60;

/** Milliseconds until a call that was refused with 429 may be repeated. */
export function refusedForMs({
  retryAfterSeconds = RETRY_AFTER_SECONDS,
}: Pick<ServiceError, "retryAfterSeconds">): number {
  // A reset within this second may still be a few milliseconds away.
  return Math.max(1, retryAfterSeconds) * 1000;
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
 * accept; if there are none, it waits for the service's reset, tries one request, and learns from its answer. This
 * works for sliding and fixed windows, and for limits that other clients also use up.
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
