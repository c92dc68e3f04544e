import { ConfigurationError } from "../errors.js";

/** A time's length: milliseconds, or a number with its unit, as in `90s`, `10m`, `2h`, `1d`. */
export type Duration = number | `${number}${"s" | "m" | "h" | "d"}`;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * @example
 * parseDuration("10m"); // 600_000
 *
 * @returns Milliseconds, more than none; undefined for what is no duration.
 */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === "number") return value > 0 && Number.isSafeInteger(value) ? value : undefined;
  const [, count, unit = ""] = (typeof value === "string" && /^([1-9]\d{0,8})([smhd])$/.exec(value)) || [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0);
}

/** @throws {ConfigurationError} It is none. */
export function readDuration(value: Duration, option: string): number {
  const milliseconds = parseDuration(value);
  if (milliseconds === undefined)
    throw new ConfigurationError(`${option} is ${JSON.stringify(value)}; it takes milliseconds or a duration.`, {
      hint: 'Such as "12h" or "30d".',
    });
  return milliseconds;
}
