import { type Clock as TimerClock, systemClock as systemTimer } from "../api/calls/clock.js";

export { sleep } from "../api/calls/clock.js";

/** The clock that a mailer uses. Tests pass their own: `createTestClock` from `lettershop/testing`. */
export interface Clock extends TimerClock {
  /** Milliseconds since 1970, for times that are stored or shown to users. */
  time(): number;
}

/** Uses the machine's monotonic clock, so that processes sharing a store can compare times. */
export const systemClock: Clock = {
  ...systemTimer,
  now: () => Number(process.hrtime.bigint()) / 1e6,
  time: () => Date.now(),
};

const inWholeMilliseconds = new WeakMap<Clock, Clock>();

/**
 * A clock whose `time` is in whole milliseconds, as stores need it. Cached per clock: mailers that share a clock share
 * a pace.
 */
export function wholeClock(clock: Clock): Clock {
  const cached = inWholeMilliseconds.get(clock);
  if (cached !== undefined) return cached;
  const wholeMs: Clock = {
    now: () => clock.now(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    time: () => Math.round(clock.time()),
  };
  inWholeMilliseconds.set(clock, wholeMs);
  return wholeMs;
}
