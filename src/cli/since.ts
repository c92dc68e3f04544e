import { UsageError } from "./arguments.js";

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/**
 * Parses `--since`: a time or an age.
 *
 * @example
 * readSince("2h", new Date()); // two hours ago
 *
 * @throws {UsageError} The value is neither.
 */
export function readSince(text: string, now: Date): Date {
  const age = /^(\d{1,9})([smhd])$/.exec(text);
  const unit = age?.[2];
  if (unit === "s" || unit === "m" || unit === "h" || unit === "d")
    return new Date(now.getTime() - Number(age?.[1]) * units[unit] * 1000);
  const time = new Date(text);
  if (Number.isNaN(time.getTime()))
    throw new UsageError(`--since must be a time such as 2026-11-20T10:00:00Z or an age such as 30m, not "${text}".`);
  return time;
}

/** Formats a duration: `2 d 3 h`. */
export function ageInWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = (Object.entries(units) as [string, number][])
    .toReversed()
    .map(([unit, length], index, all) => {
      const before = all[index - 1]?.[1] ?? Number.POSITIVE_INFINITY;
      return [Math.floor((seconds % before) / length), unit] as const;
    })
    .filter(([count]) => count > 0)
    .slice(0, 2);
  return parts.length === 0 ? "0 s" : parts.map(([count, unit]) => `${count} ${unit === "m" ? "min" : unit}`).join(" ");
}
