import { localesOr, optionsIn, zonedDate } from "./zoned-date.js";

/** Where numbers and dates are formatted if code doesn't say it. */
export interface Place {
  /** A BCP 47 language tag. */
  readonly locale: string;
  /** An IANA name. */
  readonly timeZone: string;
}

/**
 * Returns `Date` and `Intl` as they are on a machine with this locale and time zone, to replace the globals for code that
 * formats without naming them.
 *
 * @example
 * const { Date, Intl } = localised({ locale: "de-DE", timeZone: "Europe/Berlin" });
 * new Intl.NumberFormat().format(1234.5); // 1.234,5
 * new Date(0).toLocaleTimeString(); // 01:00:00
 *
 * Formatting throws a RangeError if there is no such locale or time zone.
 */
export function localised(place: Place): { readonly Date: DateConstructor; readonly Intl: typeof Intl } {
  const members = Object.getOwnPropertyDescriptors(Intl);
  for (const descriptor of Object.values<PropertyDescriptor>(members)) {
    if (isFormatter(descriptor.value)) descriptor.value = withDefaults(descriptor.value, place);
  }
  return { Date: zonedDate(place.timeZone, place.locale), Intl: Object.create(Object.prototype, members) };
}

type Formatter = (locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions) => object;

function isFormatter(value: unknown): value is Formatter {
  return typeof value === "function" && Object.hasOwn(value, "supportedLocalesOf");
}

function withDefaults(formatter: Formatter, place: Place): Formatter {
  const completed = ([locales, options]: Parameters<Formatter>): unknown[] => [
    localesOr(place.locale, locales),
    formatter.name === "DateTimeFormat" ? optionsIn(place.timeZone, options) : options,
  ];
  return new Proxy(formatter, {
    construct: (target, parameters: Parameters<Formatter>, newTarget) =>
      Reflect.construct(target, completed(parameters), newTarget),
    apply: (target, self, parameters: Parameters<Formatter>) => Reflect.apply(target, self, completed(parameters)),
  });
}
