/** More than a year, and not a whole number of days, hours or minutes. */
const LATER_MS = 34_900_627_001;

/** A `Date` whose current time is later. */
export function laterDate(RealDate: DateConstructor): DateConstructor {
  const now = (): number => RealDate.now() + LATER_MS;
  return new Proxy(RealDate, {
    construct: (target, parameters, newTarget) =>
      Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
  });
}
