import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localised } from "../../../dist/mustache/expression/localised.js";
import { zonedDate } from "../../../dist/mustache/expression/zoned-date.js";
import { observe } from "./observe-dates.js";

export interface Cases {
  readonly times: readonly number[];
  /** Of `new Date(…)`. */
  readonly parameters: readonly (readonly number[])[];
  readonly strings: readonly string[];
  readonly setters: readonly { readonly time: number; readonly name: string; readonly values: readonly number[] }[];
}

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "America/St_Johns",
];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const RUNS = process.env["MODE"] === "long" ? 4000 : 200;

/** Years in which zones changed their clocks or their rules. */
const YEARS = [1916, 1942, 1974, 1986, 2006, 2011, 2024, 2040];

describe("a Date of a time zone", () => {
  test.concurrent.for(ZONES)("in %s is that of a machine there", async (timeZone) => {
    const changes = YEARS.flatMap((year) => changesIn(timeZone, year));
    const cases = casesFor(timeZone, changes);
    const expected = await machineIn(timeZone, cases);
    const actual = JSON.parse(JSON.stringify(observe(zonedDate(timeZone), cases)));
    for (const kind of ["times", "parameters", "strings", "setters"] as const) {
      const different = cases[kind]
        .map((each, index) => ({ case: each, actual: actual[kind][index], expected: expected[kind][index] }))
        .filter((each) => JSON.stringify(each.actual) !== JSON.stringify(each.expected));
      expect(different.slice(0, 3)).toEqual([]);
    }
  });

  test("is a Date", () => {
    const BerlinDate = zonedDate("Europe/Berlin");
    const date = new BerlinDate(0);
    expect([date instanceof BerlinDate, date instanceof Date, new Date() instanceof BerlinDate]).toEqual([
      true,
      true,
      true,
    ]);
    expect({} instanceof BerlinDate).toBe(false);
    expect(Object.prototype.toString.call(date)).toBe("[object Date]");
    expect([date.constructor, BerlinDate.name, Object.keys(date)]).toEqual([BerlinDate, "Date", []]);
    expect(Object.keys(BerlinDate.prototype)).toEqual([]);
    expect(structuredClone(date)).toEqual(new Date(0));
    class OwnDate extends BerlinDate {}
    expect(new OwnDate(2024, 6, 1) instanceof OwnDate).toBe(true);
    expect(date instanceof OwnDate).toBe(false);
    expect(new OwnDate(2024, 6, 1).toISOString()).toBe("2024-06-30T22:00:00.000Z");
    expect(Math.abs(new BerlinDate().getTime() - Date.now())).toBeLessThan(60_000);
    expect(BerlinDate.UTC(2024, 1)).toBe(Date.UTC(2024, 1));
  });

  test("converts values as the language does", () => {
    const BerlinDate = zonedDate("Europe/Berlin");
    const local = "2024-02-03T04:05";
    const time = Date.parse(`${local}+01:00`);
    const values: unknown[] = [
      Object(local),
      [local],
      { toString: () => local },
      { valueOf: () => time },
      new Date(time),
    ];
    expect(values.map((value) => Reflect.construct(BerlinDate, [value]).getTime())).toEqual(values.map(() => time));
    for (const value of [undefined, null, true, "x", {}, "", [], 7.9])
      expect(Reflect.construct(BerlinDate, [value]).getTime()).toBe(Reflect.construct(Date, [value]).getTime());
    expect(() => Reflect.construct(BerlinDate, [1n])).toThrow(TypeError);
    expect(() => new BerlinDate(0).toLocaleString("x_y")).toThrow(RangeError);
  });

  test("reads long strings quickly", () => {
    const BerlinDate = zonedDate("Europe/Berlin");
    const began = performance.now();
    for (const long of ["0".repeat(200_000), `2024 ${"(".repeat(200_000)}`, `2024${" ".repeat(200_000)}1 1:1`])
      Number(new BerlinDate(long));
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test("refuses an unknown time zone", () => {
    const NowhereDate = zonedDate("Europe/Nowhere");
    expect(() => new NowhereDate(0).getHours()).toThrow(RangeError);
  });
});

describe("the globals of a place", () => {
  const place = localised({ locale: "de-DE", timeZone: "Asia/Tokyo" });

  test("format for its locale and time zone", () => {
    expect(new place.Date(0).toLocaleString()).toBe("1.1.1970, 09:00:00");
    expect(new place.Date(0).toLocaleDateString(undefined, { dateStyle: "long" })).toBe("1. Januar 1970");
    expect(new place.Date(0).toLocaleTimeString([], { timeStyle: "short" })).toBe("09:00");
    expect(new place.Date(0).toLocaleTimeString("en-US", { timeZone: "UTC" })).toBe("12:00:00 AM");
    expect(new place.Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(0)).toBe("09:00");
    expect(place.Intl.DateTimeFormat().resolvedOptions()).toMatchObject({ locale: "de-DE", timeZone: "Asia/Tokyo" });
    expect(new place.Intl.NumberFormat().format(1234.5)).toBe("1.234,5");
    expect(place.Intl.NumberFormat("en-US").format(1234.5)).toBe("1,234.5");
    expect(new place.Intl.ListFormat(undefined, { type: "conjunction" }).format(["a", "b"])).toBe("a und b");
    expect(new place.Intl.RelativeTimeFormat().format(-1, "day")).toBe("vor 1 Tag");
    expect(new place.Intl.Collator().resolvedOptions().locale).toMatch(/^de/);
    expect(new place.Intl.DisplayNames(undefined, { type: "region" }).of("FR")).toBe("Frankreich");
  });

  test("format an unknown locale for their own, not for the machine's", () => {
    expect(new place.Intl.NumberFormat("xx").format(1234.5)).toBe("1.234,5");
    expect(new place.Date(0).toLocaleDateString("xx")).toBe("1.1.1970");
  });

  test("have the members of the language's own", () => {
    expect(Reflect.ownKeys(place.Intl)).toEqual(Reflect.ownKeys(Intl));
    expect(Object.prototype.toString.call(place.Intl)).toBe("[object Intl]");
    expect(place.Intl.NumberFormat.supportedLocalesOf(["de", "xx"])).toEqual(["de"]);
    expect(new place.Intl.NumberFormat() instanceof place.Intl.NumberFormat).toBe(true);
    expect(new place.Intl.NumberFormat() instanceof Intl.NumberFormat).toBe(true);
    expect(new place.Intl.Locale("fr").language).toBe("fr");
  });
});

/** What the language's own Date answers in a process in this time zone. */
async function machineIn(timeZone: string, cases: Cases): Promise<ReturnType<typeof observe>> {
  const file = fileURLToPath(new URL("./observe-dates.js", import.meta.url));
  const child = spawn(process.execPath, [file, "observe"], {
    env: { TZ: timeZone },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(cases));
  return JSON.parse(await text(child.stdout));
}

/** The times in a year at which clocks change, found by Intl alone. */
function changesIn(timeZone: string, year: number): number[] {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const offset = (time: number): string | undefined => format.format(time).split("GMT")[1];
  const changes: number[] = [];
  for (let day = Date.UTC(year, 0); day < Date.UTC(year + 1, 0); day += 24 * HOUR) {
    let [before, after] = [day, day + 24 * HOUR];
    if (offset(before) === offset(after)) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === offset(after)) after = middle;
      else before = middle;
    }
    changes.push(after);
  }
  return changes;
}

function casesFor(timeZone: string, changes: readonly number[]): Cases {
  const around = changes.flatMap((change) =>
    [-24 * HOUR, -HOUR, -30 * MINUTE, -MINUTE, -1, 0, 1, 15 * MINUTE, HOUR, 90 * MINUTE, 24 * HOUR].map(
      (distance) => change + distance,
    ),
  );
  // What clocks show about then, as if it were UTC.
  const ZoneDate = zonedDate(timeZone);
  const walls = changes.flatMap((change) => {
    const shown = change - new ZoneDate(change).getTimezoneOffset() * MINUTE;
    const distances = [
      ...Array.from({ length: 24 }, (_, index) => (index - 12) * 15 * MINUTE),
      ...[-25, -23, -12, 12, 23, 25].map((hours) => hours * HOUR),
    ];
    return distances.map((distance) => shown + distance);
  });
  const time = fc.integer({ min: Date.UTC(1900, 0), max: Date.UTC(2100, 0) });
  const edge = fc.constantFrom(...around, ...walls, 0);
  const part = fc.oneof(fc.integer({ min: -100, max: 100 }), fc.constantFrom(0, 1, 1.9, -0.5, 1e7));
  const year = fc.oneof(fc.integer({ min: 1890, max: 2110 }), fc.integer({ min: -10, max: 110 }));
  const setter = fc.record({
    time: fc.oneof(time, edge, fc.constant(NaN)),
    name: fc.constantFrom(...SETTERS),
    values: fc.array(fc.oneof(part, year), { minLength: 1, maxLength: 4 }),
  });
  const parameters = fc
    .tuple(year, fc.array(part, { minLength: 1, maxLength: 6 }))
    .map(([first, others]) => [first, ...others]);
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((each) => each.join(""));
  return {
    times: [...sample(time), ...around, -1e14, 1e14, 8e15],
    parameters: [...walls.map(partsOf), ...sample(parameters), ...sample(fc.tuple(time))],
    strings: [...STRINGS, ...[...walls, ...sample(time)].flatMap(stringsOf), ...sample(words)],
    setters: sample(setter),
  };
}

function sample<Value>(arbitrary: fc.Arbitrary<Value>): Value[] {
  return fc.sample(arbitrary, { seed: 28, numRuns: RUNS });
}

const SETTERS = [
  ..."setFullYear setMonth setDate setHours setMinutes setSeconds setMilliseconds setYear setTime".split(" "),
  "setUTCHours",
];

function partsOf(wall: number): number[] {
  const [year = 0, month = 0, ...others] = (new Date(wall).toISOString().match(/\d+/g) ?? []).map(Number);
  return [year, month - 1, ...others];
}

/** A local time as it is written in strings. */
function stringsOf(wall: number): string[] {
  const iso = new Date(wall).toISOString();
  const [weekday, day, month, year, time] = new Date(wall).toUTCString().split(" ");
  return [
    iso,
    iso.slice(0, -1),
    iso.slice(0, 16),
    iso.slice(0, 10),
    `${iso.slice(0, -1)}+05:30`,
    `${iso.slice(0, 10)} ${time}`,
    iso.slice(0, 10).replaceAll("-", "/"),
    `${month} ${day}, ${year}`,
    `${weekday} ${day}-${month}-${year} ${time}`,
    `${time} ${day}-${month}-${year}`,
    `${month} ${day} ${year} ${time} GMT-0330 (Newfoundland Standard Time)`,
  ];
}

const STRINGS = [
  ..."2024-02-03T04:05,2024-02-03T4:05,2024-02,2024,2024-2-3,2024-02-03 ,2024-02-03(x),2024-02-03t04:05:06.7".split(
    ",",
  ),
  "2024-02-03T04:05:06.789123",
  "2024-02-03T24:00",
  "2024-02-03T24:01",
  "2024-02-03T04:05 ",
  "2024-02-03T04:05(x)",
  "2024-02-03 04:05Z",
  "2024-02-03 04:05-05",
  "2024-02-03 04:05 - 05:00",
  "2024-02-30",
  "2024-02-30T04:05",
  "+002024-02-03T04:05",
  "-000001-02-03T04:05",
  " Feb 3, 2024",
  "February 3rd, 2024",
  "3 February 2024 4:05 pm",
  "3 Feb 2024 4:05 PM-05",
  "Feb 3, 2024 4:05 est",
  "Feb 3, 2024 4:05 ESTX",
  "Feb 3, 2024 GMT-5",
  "Feb 3, 2024 -5",
  "GMT Feb 3, 2024",
  "Monday GMT Feb 3, 2024 4:05",
  "Feb 3, 2024 (a (nested) comment, GMT) 4:05",
  "Feb 3, 2024 4:05 (open +0500",
  "(UTC) Feb 3, 2024 4:05",
  "2/3/2024",
  "2/3/99",
  "12",
  "13",
  "",
  " ",
  "x",
  "Invalid Date",
  "4:05",
  "4:05 2024-02-03",
];

/** Strings are made of these. */
const WORDS =
  " 2024|2024-02-03|T| |  |Feb| 3| 12|-|/|,|04:05|04:05:06|.789|Z|UTC|GMT|EST|+|+0530|-05:00|PM|am|(x)|(|)|:|Sat".split(
    "|",
  );
