const DAY_MS = 86_400_000;
/** Offsets at the ends of such a period that are equal are taken to be equal within it. */
const PERIOD_MS = 4 * DAY_MS;
const MOST_PERIODS = 2000;
/** No zone has changed its offset before; earlier years would be printed with an era. */
const FIRST_CHANGE = Date.UTC(1800, 0);

const FORMAT = {
  calendar: "gregory",
  numberingSystem: "latn",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
} as const;

/**
 * Returns a function from a time to its offset from UTC, both in milliseconds.
 *
 * @example
 * offsetsIn("Europe/Berlin")(Date.UTC(2024, 6, 1)); // 7_200_000
 *
 * It throws a RangeError if there is no such time zone.
 */
export function offsetsIn(timeZone: string): (time: number) => number {
  if (timeZone === "UTC") return (time) => (Number.isNaN(time) ? NaN : 0);
  let format: Intl.DateTimeFormat | undefined;
  const measure = (time: number): number => {
    // The first one of a process takes tens of milliseconds.
    format ??= new Intl.DateTimeFormat("en-US", { timeZone, ...FORMAT });
    const second = Math.floor(Math.max(time, FIRST_CHANGE) / 1000) * 1000;
    const [month = NaN, day, year = NaN, ...clock] = (format.format(second).match(/\d+/g) ?? []).map(Number);
    return Date.UTC(year, month - 1, day, ...clock) - second;
  };

  /** The offset at the start of a period, by its number. */
  const known = new Map<number, number>();
  const startOf = (period: number): number => {
    const offset = known.get(period) ?? measure(period * PERIOD_MS);
    if (known.size >= MOST_PERIODS) known.clear();
    known.set(period, offset);
    return offset;
  };
  return (time) => {
    if (Number.isNaN(time)) return NaN;
    const period = Math.floor(time / PERIOD_MS);
    const offset = startOf(period);
    return offset === startOf(period + 1) ? offset : measure(time);
  };
}
