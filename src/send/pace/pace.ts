import type { Clock } from "../clock.js";
import { Limiter } from "./limiter.js";

const WINDOW_MS = 60_000;

/** Whose limit it is: the service counts by account. */
export interface PaceOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly sendsPerMinute: number;
  readonly clock: Clock;
}

const limitersByClock = new WeakMap<Clock, Map<string, Limiter>>();

/**
 * The limiter that all mailers of this process with the same key share. To be asked for at each send and not kept: one
 * that has nothing to remember is dropped.
 */
export function limiterFor({ url, apiKey, sendsPerMinute, clock }: PaceOptions): Limiter {
  const limiters = limitersByClock.get(clock) ?? new Map<string, Limiter>();
  limitersByClock.set(clock, limiters);
  const key = JSON.stringify([new URL(url).origin, apiKey, sendsPerMinute]);
  const known = limiters.get(key);
  if (known !== undefined) return known;
  for (const [other, limiter] of limiters) if (limiter.idle) limiters.delete(other);
  const limiter = new Limiter({ limit: sendsPerMinute, windowMs: WINDOW_MS, clock });
  limiters.set(key, limiter);
  return limiter;
}
