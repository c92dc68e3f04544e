import { type Clock as TimerClock, systemClock as systemTimer } from "../api/calls/clock.js";

export { sleep } from "../api/calls/clock.js";

/** The time that a mailer goes by. A test hands in one of its own: `createTestClock` of `lettershop/testing`. */
export interface Clock extends TimerClock {
  /** Milliseconds since 1970, for moments that outlive a process or are told to somebody. */
  time(): number;
}

/** Its monotone time is the machine's, so that processes which share a store can compare theirs. */
export const systemClock: Clock = {
  ...systemTimer,
  now: () => Number(process.hrtime.bigint()) / 1e6,
  time: () => Date.now(),
};

const inWholeMilliseconds = new WeakMap<Clock, Clock>();

/** The clock whose `time` has no fractions, as stores keep it: the same one for the same clock, since those who share it share a pace. */
export function wholeClock(clock: Clock): Clock {
  const known = inWholeMilliseconds.get(clock);
  if (known !== undefined) return known;
  const whole: Clock = {
    now: () => clock.now(),
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    time: () => Math.round(clock.time()),
  };
  inWholeMilliseconds.set(clock, whole);
  return whole;
}
