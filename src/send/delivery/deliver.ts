import type { Client } from "../../api/client.js";
import type { AcceptedEmail, OutboundEmail } from "../../api/contract/v4/emails.js";
import { AbortedError, ServiceError, TimeoutError, UnreachableError } from "../../api/errors.js";
import { ConfigurationError } from "../../errors.js";
import { type Clock, sleep } from "../clock.js";
import {
  RateLimitedError,
  RejectedError,
  SendAbortedError,
  SendUnreachableError,
  UnknownOutcomeError,
} from "../errors.js";
import type { Limiter } from "../pace/limiter.js";

/** What sending needs, besides the message. */
export interface Route {
  readonly client: Pick<Client, "emails">;
  readonly domain: string;
  readonly url: string;
  readonly clock: Clock;
  /** The limiter of the account; asked for at each try. */
  readonly limiter: () => Limiter;
}

export interface DeliverOptions {
  /** Milliseconds to spend on waiting, in all. */
  readonly maxWait: number;
  readonly timeoutMs?: number | undefined;
  /** Ends the waiting, and the request under way. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the waiting only. */
  readonly closing: AbortSignal;
}

/** Milliseconds before the tries after one that surely did not reach the service. */
const RETRY_DELAYS = [200, 500, 1000, 2000];
/** What a 429 that doesn't say when asks for: the service counts by the minute. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Sends a message once. Tries again only after what surely did not reach the service and after a 429, and never when the
 * request may have taken effect.
 *
 * @throws {SendError} The message was not accepted, or nobody knows.
 * @throws {ConfigurationError} `timeoutMs` is no time.
 */
export async function deliver(
  email: OutboundEmail,
  { client, domain, url, clock, limiter }: Route,
  options: DeliverOptions,
): Promise<AcceptedEmail> {
  const { maxWait, timeoutMs, signal, closing } = options;
  const waiting = signal === undefined ? closing : AbortSignal.any([closing, signal]);
  const deadline = clock.now() + maxWait;
  const inTime = (milliseconds: number) => clock.now() + milliseconds <= deadline;
  let failures = 0;
  for (let attempt = 0; ; attempt += 1) {
    const slot = await limiter()
      .acquire({ maxWaitMs: Math.max(0, deadline - clock.now()), signal: waiting, first: attempt > 0 })
      .catch(asAborted(waiting));
    try {
      return await client.emails.send(domain, email, {
        ...(signal === undefined ? {} : { signal }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
    } catch (error) {
      if (surelyNotSent(error)) {
        slot.unused();
        if (error instanceof AbortedError) throw new SendAbortedError({ cause: signal?.reason });
        const delay = RETRY_DELAYS[failures];
        failures += 1;
        if (delay === undefined || !inTime(delay)) throw new SendUnreachableError(url, { cause: error });
        await sleep(clock, delay, waiting).catch(asAborted(waiting));
        continue;
      }
      // An option that cannot be used: the client refuses it before it does anything.
      if (error instanceof ConfigurationError) throw error;
      if (!(error instanceof ServiceError) || error.status !== 429) throw outcomeOf(error);
      const wait = Math.max(1, error.retryAfterSeconds ?? RETRY_AFTER_SECONDS) * 1000;
      limiter().holdUntil(clock.now() + wait);
      if (!inTime(wait)) throw new RateLimitedError(wait, { cause: error });
    } finally {
      slot.answered();
    }
  }
}

/** For waits, before anything has left: what the signal ended is an aborted send. */
function asAborted(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    throw signal.aborted && error === signal.reason ? new SendAbortedError({ cause: error }) : error;
  };
}

type NotAnswered = AbortedError | TimeoutError | UnreachableError;

function isNotAnswered(error: unknown): error is NotAnswered {
  return error instanceof AbortedError || error instanceof TimeoutError || error instanceof UnreachableError;
}

function surelyNotSent(error: unknown): error is NotAnswered {
  return isNotAnswered(error) && !error.requestSent;
}

function outcomeOf(error: unknown): Error {
  if (error instanceof ServiceError && error.status < 500) {
    const { status, serviceMessage, fieldErrors, hint } = error;
    return new RejectedError(status, serviceMessage, fieldErrors, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
    });
  }
  return new UnknownOutcomeError(reasonOf(error), { cause: error });
}

function reasonOf(error: unknown): string {
  if (error instanceof ServiceError) return `the service answered ${error.status}`;
  if (error instanceof TimeoutError) return `the service did not answer within ${error.timeoutMs / 1000} s`;
  if (error instanceof AbortedError) return "it was aborted when the request was on its way";
  if (error instanceof UnreachableError) return "the connection broke before the answer was complete";
  return "the service's answer could not be read";
}
