import { type Clock, systemClock } from "../../src/send/clock.js";

/** Waits for a tenth of the requested time. */
export const hastyClock: Clock = {
  ...systemClock,
  after: (milliseconds, callback) => systemClock.after(milliseconds / 10, callback),
};
