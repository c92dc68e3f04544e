/** Where `derive` formats: a BCP 47 language tag and an IANA time zone. */
export interface Place {
  readonly locale: string;
  readonly timeZone: string;
}

/** `formatMoney(129600, "EUR", "en-US")` is "€1,296.00"; `formatMoney(1296, "JPY", "en-US")` is "¥1,296". */
export function formatMoney(minorUnits: number, currency: string, locale: string): string {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency });
  const { maximumFractionDigits = 2 } = format.resolvedOptions();
  return format.format(minorUnits / 10 ** maximumFractionDigits);
}

/** "March 14, 2026". */
export function formatDate(timestamp: string, { locale, timeZone }: Place): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone }).format(new Date(timestamp));
}

/** "March 14, 2026 at 09:05 UTC". */
export function formatDateTime(timestamp: string, { locale, timeZone }: Place): string {
  return new Intl.DateTimeFormat(locale, {
    year: "numeric",
    month: "long",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
    timeZoneName: "short",
  }).format(new Date(timestamp));
}

/** "30 minutes", "1 hour", "2 days": the largest unit that needs no fraction. */
export function formatDuration(minutes: number, locale: string): string {
  const unit = minutes % 1440 === 0 ? "day" : minutes % 60 === 0 ? "hour" : "minute";
  const minutesPerUnit = { day: 1440, hour: 60, minute: 1 };
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(
    minutes / minutesPerUnit[unit],
  );
}
