const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))? ?([Zz]|[+-]\d\d:?\d\d)$/;
const MAIL_DATE =
  /^(?:[a-z]{3}, *)?(\d\d?) +([a-z]{3}) +(\d{4}) +(\d\d?):(\d\d)(?::(\d\d))? *(Z|UTC?|GMT|[+-]\d\d:?\d\d)(?: *\([^()]*\))?$/i;
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Smaller numbers are seconds (until the year 5138), larger ones milliseconds (from March 1973). */
const LEAST_MILLISECONDS = 1e11;

/**
 * Parses a timestamp in any of the service's formats: version 4's ISO 8601, version 3's milliseconds since 1970 or, if
 * a rule was updated or changed in bulk, seconds, and the two older formats of version 3's log, `2026-08-12
 * 09:30:00+0000` and an email date (part 2 of both documents).
 *
 * @example
 * readTimestamp("2026-08-12T09:30:00Z");
 * readTimestamp(1786527000000);
 * readTimestamp(1786527000);
 * readTimestamp("2026-08-12 09:30:00+0000");
 * readTimestamp("Wed, 12 Aug 2026 09:30:00 +0000"); // all the same time
 *
 * @throws RangeError for an invalid timestamp, or one without a time zone.
 */
export function readTimestamp(value: string | number): Date {
  const time = typeof value === "number" ? fromNumber(value) : (fromDateTime(value) ?? fromMailDate(value));
  if (time === undefined || !Number.isFinite(new Date(time).getTime()))
    throw new RangeError(`${JSON.stringify(value)} is not a valid timestamp of the service.`);
  return new Date(time);
}

function fromNumber(value: number): number {
  return Math.abs(value) < LEAST_MILLISECONDS ? value * 1000 : value;
}

function fromDateTime(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = "0", zone = ""] = DATE_TIME.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const parts = [year, Number(month) - 1, day, hour, minute, second].map(Number);
  return moment(parts, Number(`0.${fraction}`) * 1000, zone);
}

function fromMailDate(text: string): number | undefined {
  const [, day, month = "", year, hour, minute, second = 0, zone = ""] = MAIL_DATE.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  return moment([year, MONTHS.indexOf(month.toLowerCase()), day, hour, minute, second].map(Number), 0, zone);
}

/** Undefined if a part is out of range, such as February 30. */
function moment(parts: readonly number[], milliseconds: number, zone: string): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  date.setUTCHours(hour, minute, second, Math.trunc(milliseconds));
  const actual = [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ];
  if (!actual.every((part, i) => part === parts[i])) return undefined;
  return date.getTime() - offsetOf(zone);
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return sign === "-" ? -offset : offset;
}
