import { type Clock as TimerClock, systemClock as systemTimer } from "../api/calls/clock.js";

export { sleep } from "../api/calls/clock.js";

/** The time that a mailer goes by. A test hands in one of its own: `createTestClock` of `lettershop/testing`. */
export interface Clock extends TimerClock {
  /** Milliseconds since 1970, for moments that outlive a process or are told to somebody. */
  time(): number;
}

export const systemClock: Clock = { ...systemTimer, time: () => Date.now() };
