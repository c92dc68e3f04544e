import { afterAll, describe, expect, it } from "vitest";
import { evaluate } from "../../../src/mustache/expression/evaluate.js";
import type { Expression } from "../../../src/mustache/expression/expression.js";
import { expressionOfSource } from "./expression-of-source.js";
import { evaluateIndependently } from "./independent.js";
import { outcome } from "./native.js";

/** A new object, what is done to it as `o`, and what is read then. */
type Case = readonly [made: string, changes: readonly string[], read: string];

const LISTS: readonly Case[] = [
  ["[...list]", ["o.push(4, 5)"], "o"],
  ["[...list]", ["o.push()"], "[o, o.length]"],
  ["[...list]", ["o.push(...o)", "o.unshift(o.length)"], "o"],
  ["[...list]", ["o.pop()", "o.shift()"], "o"],
  ["[]", ["o.pop()", "o.shift()"], "o"],
  ["[...list]", ["o.push(1)"], "o.push(2, 3)"],
  ["[...list]", [], "o.unshift(2, 3)"],
  ["[...list]", [], "o.pop()"],
  ["[...list]", ["o.shift()"], "o.shift()"],
  ["[]", [], "o.pop()"],
  ["[...list]", ["o.splice(1, 1)"], "o.splice(-1, 1, 'a', 'b')"],
  ["[...list]", ["o.splice(1, 0, 'a', [])", "o.splice(-2)"], "o"],
  ["[...list]", ["o.sort()"], "o.join()"],
  ["[...list]", ["o.sort((a, b) => b - a)", "o.reverse()"], "o"],
  ["[...list]", ["o.fill(0, 1)", "o.copyWithin(0, 1, 2)"], "o"],
  ["[...list]", [], "[o.fill(7), 1]"],
  ["[...list]", ["o[0] = 'a'", "o[5] = 'b'"], "[o, o.length, o[3], o.indexOf(undefined)]"],
  ["[...list]", ["o.length = 1", "o.length = 3"], "[o.length, o.join(), o.map(() => 1).length]"],
  ["[...list]", ["o.length = -1"], "o"],
  ["[list, list]", ["o[0] = 1"], "[o, list]"],
  ["list.filter((n) => n > 1)", ["o.push(list.length)"], "[list, o]"],
];

const DATES: readonly Case[] = [
  ...["-1", "0", "31", "32", "365", "1.9", "'7'", "undefined", "NaN", "1e9"].flatMap((day): Case[] => [
    ["new Date(at)", [`o.setDate(${day})`], "o"],
    ["new Date(at)", [], `o.setDate(${day})`],
  ]),
  ["new Date(at)", ["o.setMonth(13)", "o.setMonth(-1, 31)"], "o"],
  ["new Date(at)", ["o.setFullYear(2023, 1, 29)"], "o"],
  ["new Date(at)", ["o.setHours(0, 0, 0, 0)"], "[o, o.getHours()]"],
  ["new Date(at)", ["o.setHours(2, 30, 15.9, 999)"], "o"],
  ["new Date(at)", ["o.setHours(o.getHours() + 30)"], "o"],
  ["new Date(at)", ["o.setMinutes(-1, 5, 7)", "o.setSeconds(61, 1000)", "o.setMilliseconds(-1)"], "o"],
  ["new Date(at)", ["o.setUTCDate(0)", "o.setUTCMonth(13)", "o.setUTCHours(25, 61, 61, 1001)"], "o"],
  ["new Date(at)", ["o.setUTCFullYear(2024, 1, 30)", "o.setUTCMinutes(60)", "o.setUTCSeconds(1)"], "o"],
  ["new Date(at)", ["o.setTime(8.64e15)", "o.setUTCMilliseconds(1)"], "o"],
  ["new Date(at)", ["o.setTime(o.getTime() + 864e5 * 14)"], "o.toISOString()"],
  ["new Date('x')", ["o.setDate(1)", "o.setHours(1)"], "o"],
  ["new Date('x')", [], "o.setMonth(1)"],
  ["new Date('x')", ["o.setFullYear(2024)"], "o"],
  ["new Date('x')", ["o.setUTCFullYear(2024, 2)"], "o"],
  ["new Date(at)", ["o.setYear(99)"], "o"],
];

const COLLECTIONS: readonly Case[] = [
  ["new Set(list)", ["o.add(9)", "o.delete(1)", "o.add(2)"], "[[...o], o.size, o.has(9), o.delete(2)]"],
  ["new Set(list)", [], "[...o.add(8)]"],
  ["new Set()", ["o.add(NaN)", "o.add(NaN)", "o.add(-0)", "o.add('0')"], "[...o]"],
  ["new Set(list)", ["o.clear()"], "o.size"],
  [
    "new Map([['a', 1]])",
    ["o.set('b', 2)", "o.set('a', 3)", "o.delete('c')"],
    "[[...o], o.get('a'), o.set('c', 1).size]",
  ],
  ["new Map()", ["o.set(list, 1)", "o.set([...list], 2)"], "[o.get(list), o.size]"],
  ["new Map([['a', 1]])", ["o.clear()"], "[...o.keys()]"],
  ["new Map()", ["o.set()"], "[...o]"],
];

const URLS: readonly Case[] = [
  [
    "new URL(u)",
    ["o.searchParams.set('a', 'ä &=+')", "o.searchParams.append('a', '2')"],
    "[o.href, String(o.searchParams)]",
  ],
  ["new URL(u)", ["o.searchParams.delete('ref')"], "[o.href, o.search]"],
  ["new URL(u)", ["o.searchParams.delete('a')", "o.searchParams.sort()"], "o.href"],
  ["new URL(u)", ["o.search = '?x=1 2&'", "o.searchParams.set('y', 1)"], "[o.href, o.searchParams.get('x')]"],
  ["new URL(u)", ["o.search = ''", "o.hash = 'ä b'"], "o.href"],
  ["new URL(u)", ["o.pathname = 'x/../ü'", "o.host = 'a.test:81'", "o.port = ''", "o.protocol = 'http'"], "o.href"],
  ["new URL(u)", ["o.username = 'a@b'", "o.password = ':'", "o.hostname = ''"], "o.href"],
  ["new URL(u)", ["o.href = 'https://other.test/?a'", "o.searchParams.append('b', '')"], "o.href"],
  ["new URL(u)", ["o.href = 'nothing'"], "o.href"],
  ["new URL(u)", ["o.searchParams.append('a')"], "o.href"],
  [
    "new URLSearchParams({ b: '1', a: u })",
    ["o.append('b', 2)", "o.sort()", "o.delete('x')"],
    "[o.toString(), o.size]",
  ],
  ["new URLSearchParams({ b: '1' })", [], "[o.set('a', 1), o.append('a', 1), o.delete('a')]"],
  ["new URLSearchParams({ b: '1' })", [], "[...o]"],
];

const VARIABLES = { list: [3, 1, 10, 2], u: "https://ann:x@example.com:8443/a/b?ref=mail%20x&a=1&a=2#top" };
const TIMES = ["2024-03-31T00:59:59Z", "2024-10-26T22:30:00Z", "2024-11-03T05:30:00Z", "2024-01-31T12:00:00Z"];
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];

const zoneBefore = process.env["TZ"];
afterAll(() => {
  if (zoneBefore === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zoneBefore;
});

describe("a change of a copy means what the change means in JavaScript", () => {
  it.each([...LISTS, ...COLLECTIONS, ...URLS])("%s; %j; %s", (...each) => compare(each, VARIABLES, "UTC"));
});

describe("a change of a date means what it means on a machine in its time zone", () => {
  it.each(DATES)("%s; %j; %s", (...each) => {
    for (const timeZone of ZONES) for (const at of TIMES) compare(each, { at }, timeZone);
  });
});

function compare([made, changes, read]: Case, variables: Readonly<Record<string, unknown>>, timeZone: string): void {
  process.env["TZ"] = timeZone;
  const native = outcome(() => {
    // oxlint-disable-next-line typescript/no-implied-eval -- the comparison
    const compiled = new Function(
      ...Object.keys(variables),
      `const o = ${made}; ${changes.join("; ")}; return ${read};`,
    );
    return Reflect.apply(compiled, undefined, Object.values(structuredClone(variables)));
  });
  const expression = afterChanges([made, changes, read]);
  const place = { locale: "en-US", timeZone };
  expect(outcome(() => evaluate(expression, [variables], [0], place))).toEqual(native);
  expect(outcome(() => evaluateIndependently(expression, [variables], [0], place))).toEqual(native);
}

function afterChanges([made, changes, read]: Case): Expression {
  const changed = changes.reduce((of, source) => withO(changeOf(source), of), expressionOfSource(made));
  return withO(expressionOfSource(read), changed);
}

/** `o.name(…args)`, `o[0] = value` and `o.name = value` as an expression with `o` as a variable. */
function changeOf(source: string): Expression {
  const [, called, args] = /^o\.([\w.]+)\((.*)\)$/.exec(source) ?? [];
  const [, assigned, value] = /^o\.?\[?(\w+)\]? = (.*)$/.exec(source) ?? [];
  const list = expressionOfSource(`[${args ?? value}]`);
  const names = (called ?? assigned ?? "").split(".");
  return {
    kind: "change",
    of: { kind: "variable", names: ["o"] },
    names,
    args: list.kind === "list" ? list.items : [],
  };
}

function withO(expression: Expression, of: Expression): Expression {
  return JSON.parse(JSON.stringify(expression), (_name, value: unknown) => {
    const isO = typeof value === "object" && value !== null && "names" in value && String(value.names) === "o";
    return isO ? of : value;
  });
}
