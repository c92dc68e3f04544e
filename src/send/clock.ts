import { type TimerClock, systemClock as systemTimer } from "../api/calls/timing.js";
import { ConfigurationError } from "../errors.js";

export { sleep } from "../api/calls/timing.js";

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

/** Makes a value once for each clock: mailers of a process that use the same clock share it. */
export function oncePerClock<Value>(make: (clock: Clock) => Value): (clock: Clock) => Value {
  const values = new WeakMap<Clock, Value>();
  return (clock) => {
    const value = values.get(clock) ?? make(clock);
    values.set(clock, value);
    return value;
  };
}

/** A clock whose `time` is in whole milliseconds, as stores need it. */
export const millisecondClock = oncePerClock<Clock>((clock) => ({
  now: () => clock.now(),
  after: (milliseconds, callback) => clock.after(milliseconds, callback),
  time: () => Math.round(clock.time()),
}));

/** A length of time: milliseconds, or a number with a unit, as in `90s`, `10m`, `2h`, `1d`. */
export type Duration = number | `${number}${"s" | "m" | "h" | "d"}`;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns Milliseconds, above 0; undefined if the value is not a duration. */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === "number") return value > 0 && Number.isSafeInteger(value) ? value : undefined;
  const [, count, unit = ""] = (typeof value === "string" && /^([1-9]\d{0,8})([smhd])$/.exec(value)) || [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** @throws {ConfigurationError} The value is not a duration. */
export function readDuration(value: Duration, option: string): number {
  const milliseconds = parseDuration(value);
  if (milliseconds === undefined)
    throw new ConfigurationError(`${option} is ${JSON.stringify(value)}; it must be a duration.`, {
      hint: 'Use milliseconds, or a string such as "12h" or "30d".',
    });
  return milliseconds;
}
