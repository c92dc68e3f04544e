/*
 * Real values for `parse(day, "MMMM do, yyyy", …)`: of the usual strings, none is a date in most formats.
 */

const DATES = [new Date(Date.UTC(2024, 1, 14, 4, 5, 6)), new Date(Date.UTC(2031, 10, 30, 23, 59, 58))];

/** The parts of formats, as in date-fns, Day.js, Luxon and Moment. */
const PARTS: ReadonlyMap<string, (date: Date) => string> = new Map([
  ["yyyy", (date) => String(date.getUTCFullYear())],
  ["yy", (date) => String(date.getUTCFullYear() % 100)],
  ["MMMM", named({ month: "long" })],
  ["MMM", named({ month: "short" })],
  ["MM", (date) => twoDigits(date.getUTCMonth() + 1)],
  ["M", (date) => String(date.getUTCMonth() + 1)],
  ["dddd", named({ weekday: "long" })],
  ["ddd", named({ weekday: "short" })],
  ["do", (date) => `${date.getUTCDate()}th`],
  ["dd", (date) => twoDigits(date.getUTCDate())],
  ["d", (date) => String(date.getUTCDate())],
  ["HH", (date) => twoDigits(date.getUTCHours())],
  ["H", (date) => String(date.getUTCHours())],
  ["hh", (date) => twoDigits(date.getUTCHours() % 12)],
  ["h", (date) => String(date.getUTCHours() % 12)],
  ["mm", (date) => twoDigits(date.getUTCMinutes())],
  ["m", (date) => String(date.getUTCMinutes())],
  ["ss", (date) => twoDigits(date.getUTCSeconds())],
  ["s", (date) => String(date.getUTCSeconds())],
  ["a", (date) => (date.getUTCHours() < 12 ? "AM" : "PM")],
]);

function named(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options });
  return (date) => format.format(date);
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** `'at'`, `[at]`, `do`, `MMMM` */
const PIECES = /'([^']*)'|\[([^\]]*)\]|[dD]o|([A-Za-z])\3*/g;

/** Dates as strings in a format; none for a string that is not a format of dates. */
export function datesIn(format: string): string[] {
  const pieces = [...format.matchAll(PIECES)].filter(([whole]) => !/^['[]/.test(whole));
  if (pieces.length < 2 || !pieces.every(([whole]) => partOf(whole))) return [];
  return DATES.map((date) =>
    format.replace(
      PIECES,
      (whole, quoted?: string, bracketed?: string) => quoted ?? bracketed ?? partOf(whole)?.(date) ?? "",
    ),
  );
}

/** Libraries differ in `yyyy` and `YYYY`, `dd` and `DD`, `EEEE` and `dddd`, `a` and `A`. */
function partOf(piece: string): ((date: Date) => string) | undefined {
  const name = piece
    .replaceAll("Y", "y")
    .replaceAll(/[DE]/g, "d")
    .replaceAll("L", "M")
    .replace(/^[aA]+$/, "a");
  return PARTS.get(name);
}
