/** More than a year, and no whole number of days, hours or minutes. */
const LATER_MS = 34_900_627_001;

/** Calls a function as if it were later, as far as it asks `Date`. */
export function withLaterClock<Result>(call: () => Result): Result {
  const RealDate = globalThis.Date;
  const now = (): number => RealDate.now() + LATER_MS;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
  });
  try {
    return call();
  } finally {
    globalThis.Date = RealDate;
  }
}
