import { offsetsIn } from "./zone-offsets.js";

/** The globals may be replaced by ours. */
const RealDate = Date;
const parseDate = RealDate.parse;

const INVALID = "Invalid Date";
const MINUTE_MS = 60_000;
/** More than any offset, also of earlier centuries. */
const MOST_OFFSET_MS = 16 * 60 * MINUTE_MS;

/** A part of a local time that `Date` has a getter and a setter for. */
const PARTS = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"] as const;

const DATE_PARTS = { year: "numeric", month: "numeric", day: "numeric" } as const;
const TIME_PARTS = { hour: "numeric", minute: "numeric", second: "numeric" } as const;
/** Methods, with what they show if no options are passed. The language's own may be replaced by ours. */
const LOCALE_TEXTS = (
  [
    ["toLocaleString", { ...DATE_PARTS, ...TIME_PARTS }],
    ["toLocaleDateString", DATE_PARTS],
    ["toLocaleTimeString", TIME_PARTS],
  ] as const
).map(([name, parts]) => ({ name, parts, formatted: RealDate.prototype[name] }));
/** Making a format takes much longer than formatting. */
const MOST_FORMATS = 50;

/**
 * Returns a class that behaves as `Date` does on a machine in this time zone.
 *
 * @example
 * const BerlinDate = zonedDate("Europe/Berlin");
 * new BerlinDate("2024-07-01T12:00:00Z").getHours(); // 14
 * new BerlinDate(2024, 6, 1).toISOString(); // 2024-06-30T22:00:00.000Z
 *
 * @param timeZone An IANA name.
 * @param locale Default of its `toLocaleString` and so on; without it, the machine's.
 * Its methods throw a RangeError if there is no such time zone.
 */
export function zonedDate(timeZone: string, locale?: string): DateConstructor {
  const offsetAt = offsetsIn(timeZone);
  let names: Intl.DateTimeFormat | undefined;

  /** A Date whose UTC parts are the local ones. */
  const wallOf = (date: Date): Date => new RealDate(date.getTime() + offsetAt(date.getTime()));

  /** The time at which clocks show this. A skipped time is read as if clocks had not moved; an ambiguous one is the first. */
  const timeAt = (wall: number): number => {
    const before = offsetAt(wall - MOST_OFFSET_MS);
    const after = offsetAt(wall + MOST_OFFSET_MS);
    const isAfter = offsetAt(wall - before) !== before && offsetAt(wall - after) === after;
    return wall - (isAfter ? after : before);
  };

  const parse = (text: string): number => {
    const time = parseDate(text);
    const local = Number.isNaN(time) ? undefined : asUtc(text);
    return local === undefined ? time : timeAt(parseDate(local));
  };

  const timeOf = (value: unknown): number => {
    const primitive = value instanceof RealDate ? value.getTime() : primitiveOf(value);
    return typeof primitive === "string" ? parse(primitive) : Reflect.construct(RealDate, [primitive]).getTime();
  };

  class ZonedDate extends RealDate {
    static override readonly name: string = "Date";

    constructor(...values: readonly [] | readonly [unknown] | Parameters<typeof Date.UTC>) {
      if (values.length === 0) super();
      else super(values.length === 1 ? timeOf(values[0]) : timeAt(RealDate.UTC(...values)));
    }

    static override parse(text: unknown): number {
      return parse(String(text));
    }

    /** Also true for other Dates, such as those of Node.js. */
    static override [Symbol.hasInstance](value: unknown): boolean {
      const all = this.prototype === ZonedDate.prototype ? RealDate : this;
      return Function.prototype[Symbol.hasInstance].call(all, value);
    }

    override getDay(): number {
      return wallOf(this).getUTCDay();
    }

    getYear(): number {
      return this.getFullYear() - 1900;
    }

    setYear(year: number): number {
      const whole = Math.trunc(year);
      return this.setFullYear(whole >= 0 && whole <= 99 ? 1900 + whole : year);
    }

    override getTimezoneOffset(): number {
      return Math.trunc(-offsetAt(this.getTime()) / MINUTE_MS) + 0;
    }

    override toString(): string {
      return isNaN(this.getTime()) ? INVALID : `${this.toDateString()} ${this.toTimeString()}`;
    }

    override toDateString(): string {
      if (isNaN(this.getTime())) return INVALID;
      const [weekday = "", day, month, year] = wallOf(this).toUTCString().split(" ");
      return `${weekday.slice(0, -1)} ${month} ${day} ${year}`;
    }

    override toTimeString(): string {
      if (isNaN(this.getTime())) return INVALID;
      const [time] = /\d\d:\d\d:\d\d/.exec(wallOf(this).toUTCString()) ?? [];
      names ??= new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "long" });
      const name = names.formatToParts(this).find(({ type }) => type === "timeZoneName")?.value;
      const minutes = -this.getTimezoneOffset();
      const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map(twoDigits);
      return `${time} GMT${minutes < 0 ? "-" : "+"}${hour}${minute} (${name})`;
    }
  }

  for (const part of PARTS) {
    addMethods(ZonedDate, {
      [`get${part}`](this: Date): number {
        return wallOf(this)[`getUTC${part}`]();
      },
      [`set${part}`](this: Date, ...values: number[]): number {
        const wall = wallOf(this);
        Reflect.apply(wall[`setUTC${part}`], wall, values);
        return this.setTime(timeAt(wall.getTime()));
      },
    });
  }
  for (const { name, parts, formatted } of LOCALE_TEXTS) {
    const formats = new Map<string | undefined, Intl.DateTimeFormat>();
    addMethods(ZonedDate, {
      [name](this: Date, locales?: Intl.LocalesArgument, options?: Intl.DateTimeFormatOptions): string {
        const all = localesOr(locale, locales);
        if (options !== undefined || typeof locales === "object" || Number.isNaN(this.getTime()))
          return Reflect.apply(formatted, this, [all, optionsIn(timeZone, options)]);
        if (formats.size > MOST_FORMATS) formats.clear();
        const format = formats.get(locales) ?? new Intl.DateTimeFormat(all, { ...parts, timeZone });
        formats.set(locales, format);
        return format.format(this);
      },
    });
  }
  // Without `new`, it throws: that would read the clock.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return ZonedDate as unknown as DateConstructor;
}

/** Like the methods of classes, they are not enumerable. */
function addMethods({ prototype }: { readonly prototype: object }, methods: object): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}

/** JavaScript's conversion of the argument of `new Date(…)`. */
function primitiveOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const convert: unknown = Reflect.get(value, Symbol.toPrimitive);
  return typeof convert === "function"
    ? Reflect.apply(convert, value, ["default"])
    : Reflect.apply(RealDate.prototype[Symbol.toPrimitive], value, ["number"]);
}

/** Dates and times as in JSON; dates without a time are in UTC. */
const ISO = /^(?:\d{4}|[+-]\d{6})(?:-\d\d){0,2}(?:$|t)/i;
/** A name of a zone after a number, or a sign after a time that doesn't belong to a date such as `3-Feb-2024`. */
const ZONE =
  /^\D*\d.*(?<![a-z])(?:utc?|gmt|z|[ecmp][sd]t)(?![a-z])|\d:.*(?:\+|(?<!(?:[^\d:.]\d+|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*))-)/is;

/** Whether JavaScript reads a string as local time. */
export function isLocalTime(text: string): boolean {
  return !Number.isNaN(parseDate(text)) && asUtc(text) !== undefined;
}

/** The same date in UTC, if JavaScript reads a string as local time. */
function asUtc(text: string): string | undefined {
  const plain = withoutComments(text);
  const [iso = ""] = ISO.exec(plain) ?? [];
  if ((iso !== "" && iso === plain) || ZONE.test(plain)) return undefined;
  return plain + (iso === "" ? " UTC" : "Z");
}

/** JavaScript ignores text in parentheses, which may be nested, and not closed at the end. */
function withoutComments(text: string): string {
  let depth = 0;
  const plain = Array.from(text, (character) => {
    if (character === "(") depth += 1;
    if (depth === 0) return character;
    if (character === ")") depth -= 1;
    return " ";
  });
  return plain.join("");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/**
 * The locales to format for if some were requested: the default one is used if none of these is supported, as on a machine
 * that has it.
 */
export function localesOr(locale: string | undefined, requested: unknown): Intl.LocalesArgument {
  // JavaScript checks the type, and formats much faster for a string than for a list.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const locales = requested as string | undefined;
  if (locales === undefined || locale === undefined || isSupported(locales)) return locales ?? locale;
  return [...Intl.getCanonicalLocales(locales), locale];
}

const supported = new Map<string, boolean>();

function isSupported(locale: unknown): boolean {
  if (typeof locale !== "string") return false;
  const known = supported.get(locale);
  if (known !== undefined) return known;
  if (supported.size > MOST_FORMATS) supported.clear();
  const formats: readonly Pick<typeof Intl.Collator, "supportedLocalesOf">[] = [Intl.DateTimeFormat, Intl.Collator];
  const isKnown = formats.every((format) => format.supportedLocalesOf([locale]).length > 0);
  supported.set(locale, isKnown);
  return isKnown;
}

export function optionsIn(
  timeZone: string,
  options: Intl.DateTimeFormatOptions | undefined,
): Intl.DateTimeFormatOptions | undefined {
  // JavaScript refuses null, and reads inherited options.
  if (options === null || options?.timeZone !== undefined) return options;
  return Object.create(Object(options), { timeZone: { value: timeZone } });
}
