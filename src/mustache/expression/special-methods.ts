import { type DateFormatMethod, formatDate, formatter } from "./formatters.js";
import { newPattern } from "./pattern.js";
import { replace } from "./replace.js";
import { checkSize, type Run } from "./run.js";
import { localesOr } from "./zoned-date.js";
import { entryOf } from "../../values.js";

type Locales = Intl.LocalesArgument;
type Work = (...args: unknown[]) => unknown;

type SpecialMethod = (run: Run, receiver: never, ...args: never[]) => unknown;

/**
 * Methods that need the context, or whose results must be measured before they exist; by type and name. They are called with
 * receivers of the type; arguments may be anything, as for JavaScript's own.
 */
const SPECIAL_METHODS: Readonly<Record<string, Readonly<Record<string, SpecialMethod>>>> = {
  String: {
    localeCompare: (run, text: string, other: string, locales?: Locales, options?: Intl.CollatorOptions) =>
      formatter(run, "Collator", locales, options).compare(text, other),
    match: (run, text: string, pattern: unknown) => text.match(asPattern(run, pattern)),
    matchAll: (run, text: string, pattern: unknown) => text.matchAll(asPattern(run, pattern, "g")),
    padEnd: (_run, text: string, length: number, filler?: string) => {
      checkSize(Math.trunc(length));
      return text.padEnd(length, filler);
    },
    padStart: (_run, text: string, length: number, filler?: string) => {
      checkSize(Math.trunc(length));
      return text.padStart(length, filler);
    },
    repeat: (_run, text: string, count: number) => {
      checkSize(text.length * Math.trunc(count));
      return text.repeat(count);
    },
    replace: (run, text: string, pattern: unknown, replacement: unknown) =>
      replace(run, "replace", text, pattern, replacement),
    replaceAll: (run, text: string, pattern: unknown, replacement: unknown) =>
      replace(run, "replaceAll", text, pattern, replacement),
    search: (run, text: string, pattern: unknown) => text.search(asPattern(run, pattern)),
    toLocaleLowerCase: (run, text: string, locales?: string) => text.toLocaleLowerCase(localesFor(run, locales)),
    toLocaleUpperCase: (run, text: string, locales?: string) => text.toLocaleUpperCase(localesFor(run, locales)),
  },
  Number: {
    toLocaleString: formatNumber,
  },
  BigInt: {
    toLocaleString: formatNumber,
  },
  Array: {
    flatMap: (run, list: readonly unknown[], work: Work) => {
      const lists = list.map(work);
      run.admit(lists); // Before they are joined.
      return lists.flat();
    },
    join: (_run, list: readonly unknown[], separator: unknown = ",") => {
      const between = String(separator);
      checkSize(between.length * list.length);
      return list.join(between);
    },
    toLocaleString: (run: Run, list: readonly string[], locales?: Locales, options?: Intl.NumberFormatOptions) =>
      list.toLocaleString(localesFor(run, locales), options),
  },
  Date: {
    toLocaleDateString: dateFormatter("toLocaleDateString"),
    toLocaleString: dateFormatter("toLocaleString"),
    toLocaleTimeString: dateFormatter("toLocaleTimeString"),
  },
  "Intl.DateTimeFormat": {
    format: (_run, format: Intl.DateTimeFormat, date?: Date) => format.format(given(date)),
    formatToParts: (_run, format: Intl.DateTimeFormat, date?: Date) => format.formatToParts(given(date)),
  },
};

export function specialMethod(type: string, name: string): SpecialMethod | undefined {
  const methods = SPECIAL_METHODS[type];
  return methods && entryOf(methods, name);
}

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
