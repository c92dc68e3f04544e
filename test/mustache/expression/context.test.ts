import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { evaluate, ExpressionError } from "../../../src/mustache/expression/evaluate.js";
import { expressionOfSource } from "./expression-of-source.js";
import { described } from "./native.js";

/** Around midnight, and where clocks change. */
const TIMES = [
  "2024-01-01T00:30:00Z",
  "2024-03-31T00:59:59.999Z",
  "2024-03-31T01:00:00Z",
  "2024-11-03T05:30:00Z",
  "2024-12-31T23:30:00Z",
  "1999-07-01T12:00:00Z",
];
const NUMBERS = [0, 1234.5, -0.125, 1e21, NaN];

const DATE_SOURCES = [
  "d.getFullYear()",
  "d.getMonth()",
  "d.getDate()",
  "d.getDay()",
  "d.getHours()",
  "d.getMinutes()",
  "d.getTimezoneOffset()",
  "d.getUTCHours()",
  "d.getTime()",
  "d.toISOString()",
  "d.toJSON()",
  "d.toUTCString()",
  "d.valueOf()",
  "+d",
  "d + 1",
  "d - 1",
  "String(d)",
  "`${d}`",
  "d.toString()",
  "d.toDateString()",
  "d.toTimeString()",
  "[d].join()",
  "[[d]] + ''",
  "JSON.stringify({ d })",
  "Object.values({ d }) + ''",
  "d.toLocaleString()",
  "d.toLocaleDateString()",
  "d.toLocaleTimeString()",
  "[d].toLocaleString()",
  "d.toLocaleDateString(undefined, { dateStyle: 'full' })",
  "d.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })",
  "d.toLocaleDateString('en-GB', { hour: 'numeric' })",
  "d.toLocaleTimeString('en-GB', { weekday: 'long' })",
  "d.toLocaleString('de', { month: 'long', timeZone: 'Asia/Tokyo' })",
  "d.toLocaleString('en', { timeZoneName: 'short' })",
  "d.toLocaleDateString('en', { timeStyle: 'short' })",
  "d.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'long' })",
  "d.toLocaleString('en', null)",
  "d.toLocaleString('fr', { era: 'short' })",
  "new Intl.DateTimeFormat().format(d)",
  "new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short' }).format(d)",
  "[d].map(new Intl.DateTimeFormat('en').format)",
  "new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' }).formatToParts(d)",
  "new Intl.DateTimeFormat('en').formatRange(d, new Date(+d + 864e5))",
  "new Intl.DateTimeFormat().resolvedOptions().timeZone",
  "new Intl.DateTimeFormat([], { timeZone: 'UTC' }).format(d)",
  "new Date(d).getHours()",
  "new Date(+d).getHours()",
  "new Date(t).getHours()",
  "new Date(t.slice(0, 10)).getHours()",
  "new Date(t.slice(0, 16)).getTime()",
  "new Date(2024, 2, 31, 2, 30).getTime()",
  "new Date(2024, 0).getTime()",
  "new Date(99, 1, 1, 1).getFullYear()",
  "new Date('Feb 3, 2024').getTime()",
  "new Date('x').getTime()",
  "new Date('x').toLocaleDateString()",
  "new Date('x').toISOString()",
  "new Date(undefined).getTime()",
  "new Date(null).getTime()",
  "Date.parse('2024-02-03T04:05')",
  "Date.UTC(2024, 1)",
  "new Date(d.getFullYear(), d.getMonth() + 1, 0).getDate()",
  "d > new Date(0)",
  "d == String(d)",
  "d.getYear()",
  "new Date(d.getTime() + 36e5).toLocaleTimeString()",
  "Math.floor((d - new Date(2024, 0, 1)) / 864e5)",
  "[d, new Date(0)].sort() + ''",
  "typeof d",
  "d.nothing",
  "Object.keys(d)",
  "new Set([d]).has(d)",
  "[d].includes(d)",
];
const NUMBER_SOURCES = [
  "n.toLocaleString()",
  "[n, 1234.5].toLocaleString()",
  "new Intl.NumberFormat().format(n)",
  "new Intl.NumberFormat([], { style: 'percent' }).format(n)",
  "(12345n).toLocaleString()",
  "new Intl.PluralRules().select(1)",
  "new Intl.ListFormat().format(['a', 'b'])",
  "new Intl.RelativeTimeFormat().format(-1, 'day')",
  "new Intl.NumberFormat().resolvedOptions().locale",
  "['z', 'ä', 'a'].sort((a, b) => a.localeCompare(b))",
  "'ä'.localeCompare('z')",
  "['z', 'ä'].sort(new Intl.Collator().compare)",
  "n.toLocaleString('en-IN')",
  "n.toLocaleString(['xx', 'fr'])",
];

const PLACES = [
  { locale: "de-DE", timeZone: "Europe/Berlin" },
  { locale: "en-US", timeZone: "America/New_York" },
  { locale: "tr-TR", timeZone: "Asia/Kolkata" },
  { locale: "sv-SE", timeZone: "Australia/Lord_Howe" },
];

interface Case {
  readonly source: string;
  readonly t: string;
  readonly n: number | "NaN";
}

const CASES: readonly Case[] = [
  ...DATE_SOURCES.flatMap((source) => TIMES.map((t) => ({ source, t, n: 0 }))),
  ...NUMBER_SOURCES.flatMap((source) =>
    NUMBERS.map((n) => ({ source, t: TIMES[0] ?? "", n: Number.isNaN(n) ? ("NaN" as const) : n })),
  ),
];

const MACHINE = `
  const described = ${described.toString()};
  const results = JSON.parse(require("node:fs").readFileSync(0, "utf8")).map(({ source, t, n }) => {
    try {
      return described(new Function("d", "t", "n", "return (" + source + ");")(new Date(t), t, Number(n)));
    } catch {
      return "throws";
    }
  });
  process.stdout.write(JSON.stringify(results));
`;

describe("an expression that names no locale or time zone", () => {
  it.each(PLACES)("has in %j the result of a machine there", ({ locale, timeZone }) => {
    const language = locale.replace("-", "_");
    const output = execFileSync(process.execPath, ["-e", MACHINE], {
      input: JSON.stringify(CASES),
      env: { TZ: timeZone, LANG: language, LC_ALL: language },
      encoding: "utf8",
    });
    const expected: unknown[] = JSON.parse(output);
    const different = CASES.flatMap((each, index) => {
      const actual = evaluated(each, { locale, timeZone });
      return comparable(actual) === comparable(expected[index]) ? [] : [{ ...each, actual, expected: expected[index] }];
    });
    expect(different.slice(0, 5)).toEqual([]);
  });
});

/** `toString` names zones in English everywhere. */
function comparable(result: unknown): string {
  return JSON.stringify(result).replace(/(GMT[+-]\d{4}) \([^)]*\)/g, "$1");
}

it("changes case as the context's language does", () => {
  // V8 itself ignores the machine's language here.
  const context = { locale: "tr-TR", timeZone: "UTC" };
  expect(evaluate(expressionOfSource("'title'.toLocaleUpperCase()"), [], [], context)).toBe("TİTLE");
  expect(evaluate(expressionOfSource("'I'.toLocaleLowerCase()"), [], [], context)).toBe("ı");
  expect(evaluate(expressionOfSource("'title'.toUpperCase()"), [], [], context)).toBe("TITLE");
});

function evaluated({ source, t, n }: Case, context: (typeof PLACES)[number]): unknown {
  try {
    return described(evaluate(expressionOfSource(source), [{ d: new Date(t), t, n: Number(n) }], [0], context));
  } catch (error) {
    return error instanceof ExpressionError && error.code === "throws" ? "throws" : String(error);
  }
}
