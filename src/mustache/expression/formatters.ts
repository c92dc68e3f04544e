import type { Run } from "./run.js";
import { localesOr, optionsIn } from "./zoned-date.js";

/** The classes of `Intl` that expressions may use. All take locales and options. */
export const FORMATTERS = [
  "NumberFormat",
  "DateTimeFormat",
  "ListFormat",
  "PluralRules",
  "RelativeTimeFormat",
  "Collator",
  "DisplayNames",
] as const;

export type FormatterName = (typeof FORMATTERS)[number];

interface Formatters {
  NumberFormat: Intl.NumberFormat;
  DateTimeFormat: Intl.DateTimeFormat;
  ListFormat: Intl.ListFormat;
  PluralRules: Intl.PluralRules;
  RelativeTimeFormat: Intl.RelativeTimeFormat;
  Collator: Intl.Collator;
  DisplayNames: Intl.DisplayNames;
}

/** Creating one takes as long as formatting hundreds of values. */
const created = new Map<string, Formatters[FormatterName]>();
const MOST_KEPT = 200;
const STEPS_TO_CREATE = 500;

/** `new Intl.Name(locales, options)`, with the context's locale and time zone where none is named. Formatters are shared. */
export function formatter<Name extends FormatterName>(
  run: Run,
  name: Name,
  locales: unknown,
  options?: Intl.DateTimeFormatOptions,
): Formatters[Name] {
  const { locale, timeZone } = run.context;
  const key = keyOf([name, locale, timeZone, locales], options);
  const known = created.get(key ?? "");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the key begins with the name
  if (known) return known as Formatters[Name];
  run.spend(STEPS_TO_CREATE);
  const all = name === "DateTimeFormat" ? optionsIn(timeZone, options) : options;
  const made: Formatters[Name] = Reflect.construct(Reflect.get(Intl, name), [localesOr(locale, locales), all]);
  if (created.size >= MOST_KEPT) created.clear();
  if (key !== undefined) created.set(key, made);
  return made;
}

/** Identifies a formatter; undefined if its locales or options are unusual. */
function keyOf(first: readonly unknown[], options: unknown): string | undefined {
  const entries = options === undefined ? [] : Object.entries(Object(options));
  const isSimple = [...first, ...entries.map(([, value]) => value)].every((value) => typeof value !== "object");
  if (!isSimple || options === null) return undefined;
  return JSON.stringify([...first, ...entries.map(([option, value]) => [option, typeof value, String(value)])]);
}

const DATE_PARTS = ["weekday", "year", "month", "day"] as const;
const TIME_PARTS = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"] as const;

/** What a date is formatted with if no part is asked for. */
const DEFAULTS = {
  toLocaleDateString: [["year", "month", "day"], DATE_PARTS],
  toLocaleTimeString: [["hour", "minute", "second"], TIME_PARTS],
  toLocaleString: [
    ["year", "month", "day", "hour", "minute", "second"],
    [...DATE_PARTS, ...TIME_PARTS],
  ],
} as const;

export type DateFormatMethod = keyof typeof DEFAULTS;

/** `date.toLocaleString(locales, options)` and so on. */
export function formatDate(
  run: Run,
  method: DateFormatMethod,
  date: Date,
  locales?: Intl.LocalesArgument,
  options?: Intl.DateTimeFormatOptions,
): string {
  if (Number.isNaN(Number(date))) return "Invalid Date";
  if (options === null || options?.dateStyle !== undefined || options?.timeStyle !== undefined)
    return date[method](locales, options);
  const [defaults, parts] = DEFAULTS[method];
  const isComplete = parts.some((part) => options?.[part] !== undefined);
  const missing = isComplete ? [] : defaults.map((part) => [part, "numeric"] as const);
  return formatter(run, "DateTimeFormat", locales, { ...options, ...Object.fromEntries(missing) }).format(date);
}
