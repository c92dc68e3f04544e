import type { Place } from "../../../mustache/expression/localised.js";
import { zonedDate } from "../../../mustache/expression/zoned-date.js";

/** A place, with times at which dates easily come out wrong there. */
export interface TriedPlace extends Place {
  readonly times: readonly TriedTime[];
}

interface TriedTime {
  /** As clocks show it: `2024-02-29T00:00:00.000` */
  readonly local: string;
  /** The same in UTC: `2024-02-28T23:00:00.000Z` */
  readonly utc: string;
}

const MIDNIGHTS = ["2023-12-31T23:59:59.999", "2024-02-29T00:00:00.000"];
/** In the hour that clocks skip, and in the one that they repeat. */
const CHANGES_IN_EUROPE = ["2025-03-30T02:30:00.000", "2025-10-26T02:30:00.000"];
const CHANGES_IN_AMERICA = ["2025-03-09T02:30:00.000", "2025-11-02T01:30:00.000"];

/** The project's place, and three others. */
export function triedPlaces({ locale, timeZone }: Place): TriedPlace[] {
  return [
    triedPlace(locale, timeZone, [...CHANGES_IN_EUROPE, ...CHANGES_IN_AMERICA]),
    triedPlace("de-DE", "Europe/Berlin", CHANGES_IN_EUROPE),
    triedPlace("ar-EG", "America/New_York", CHANGES_IN_AMERICA),
    triedPlace("ja-JP", "Asia/Kathmandu", ["1969-12-31T23:59:59.999"]),
  ];
}

function triedPlace(locale: string, timeZone: string, others: readonly string[]): TriedPlace {
  const { parse } = zonedDate(timeZone);
  const times = [...MIDNIGHTS, ...others].map((local) => ({ local, utc: new Date(parse(local)).toISOString() }));
  return { locale, timeZone, times };
}

/** `the locale de-DE and the time zone Europe/Berlin` */
export function placeName({ locale, timeZone }: Place): string {
  return `the locale ${locale} and the time zone ${timeZone}`;
}
