import { type DateFormatMethod, formatDate, formatter } from "./formatters.js";
import { newPattern } from "./pattern.js";
import { replace } from "./replace.js";
import { checkSize, type Run } from "./run.js";
import { localesOr } from "./zoned-date.js";

type Locales = Intl.LocalesArgument;
type Work = (...args: unknown[]) => unknown;

/**
 * Methods that need the context, or whose results must be measured before they exist; by type and name. They are called with
 * receivers of the type; arguments may be anything, as for JavaScript's own.
 */
export const SPECIAL_METHODS: Readonly<Record<string, (run: Run, receiver: never, ...args: never[]) => unknown>> = {
  "String.localeCompare": (run, text: string, other: string, locales?: Locales, options?: Intl.CollatorOptions) =>
    formatter(run, "Collator", locales, options).compare(text, other),
  "String.match": (run, text: string, pattern: unknown) => text.match(asPattern(run, pattern)),
  "String.matchAll": (run, text: string, pattern: unknown) => text.matchAll(asPattern(run, pattern, "g")),
  "String.padEnd": (_run, text: string, length: number, filler?: string) => {
    checkSize(Math.trunc(length));
    return text.padEnd(length, filler);
  },
  "String.padStart": (_run, text: string, length: number, filler?: string) => {
    checkSize(Math.trunc(length));
    return text.padStart(length, filler);
  },
  "String.repeat": (_run, text: string, count: number) => {
    checkSize(text.length * Math.trunc(count));
    return text.repeat(count);
  },
  "String.replace": (run, text: string, pattern: unknown, replacement: unknown) =>
    replace(run, "replace", text, pattern, replacement),
  "String.replaceAll": (run, text: string, pattern: unknown, replacement: unknown) =>
    replace(run, "replaceAll", text, pattern, replacement),
  "String.search": (run, text: string, pattern: unknown) => text.search(asPattern(run, pattern)),
  "String.toLocaleLowerCase": (run, text: string, locales?: string) => text.toLocaleLowerCase(localesFor(run, locales)),
  "String.toLocaleUpperCase": (run, text: string, locales?: string) => text.toLocaleUpperCase(localesFor(run, locales)),
  "Number.toLocaleString": formatNumber,
  "BigInt.toLocaleString": formatNumber,
  "Array.flatMap": (run, list: readonly unknown[], work: Work) => {
    const lists = list.map(work);
    run.admit(lists); // Before they are joined.
    return lists.flat();
  },
  "Array.join": (_run, list: readonly unknown[], separator: unknown = ",") => {
    const between = String(separator);
    checkSize(between.length * list.length);
    return list.join(between);
  },
  "Array.toLocaleString": (run, list: readonly string[], locales?: Locales, options?: Intl.NumberFormatOptions) =>
    list.toLocaleString(localesFor(run, locales), options),
  "Date.toLocaleDateString": dateFormatter("toLocaleDateString"),
  "Date.toLocaleString": dateFormatter("toLocaleString"),
  "Date.toLocaleTimeString": dateFormatter("toLocaleTimeString"),
  "Intl.DateTimeFormat.format": (_run, format: Intl.DateTimeFormat, date?: Date) => format.format(given(date)),
  "Intl.DateTimeFormat.formatToParts": (_run, format: Intl.DateTimeFormat, date?: Date) =>
    format.formatToParts(given(date)),
};

function formatNumber(run: Run, number: number, locales?: Locales, options?: Intl.NumberFormatOptions): string {
  return formatter(run, "NumberFormat", locales, options).format(number);
}

function dateFormatter(method: DateFormatMethod) {
  return (run: Run, date: Date, locales?: Locales, options?: Intl.DateTimeFormatOptions): string =>
    formatDate(run, method, date, locales, options);
}

function localesFor(run: Run, locales: Locales): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these methods have older types than others
  return localesOr(run.context.locale, locales) as string;
}

/** Without a date, a formatter prints the current one. */
function given(date: Date | undefined): Date {
  if (date === undefined) throw new TypeError("A formatter needs a date: an expression can't read the clock");
  return date;
}

/** JavaScript makes a regular expression of every other value. */
function asPattern(run: Run, value: unknown, flags = ""): RegExp {
  return value instanceof RegExp ? value : newPattern(run, value, flags);
}
