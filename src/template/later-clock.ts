import { laterDate } from "../modules/later-clock.js";

/** Calls a function as if it were later, as far as it asks `Date`. */
export function withLaterClock<Result>(call: () => Result): Result {
  const RealDate = globalThis.Date;
  globalThis.Date = laterDate(RealDate);
  try {
    return call();
  } finally {
    globalThis.Date = RealDate;
  }
}
