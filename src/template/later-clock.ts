import { laterDate } from "../modules/later-clock.js";

/** Calls a function with `Date` set more than a year ahead. */
export function withLaterClock<Result>(call: () => Result): Result {
  const RealDate = globalThis.Date;
  globalThis.Date = laterDate(RealDate);
  try {
    return call();
  } finally {
    globalThis.Date = RealDate;
  }
}
