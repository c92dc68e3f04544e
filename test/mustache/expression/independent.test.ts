import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { evaluate } from "../../../src/mustache/expression/evaluate.js";
import type { Expression } from "../../../src/mustache/expression/expression.js";
import { plainExpressions, print, variables } from "../../render/react/computed-generator.js";
import { Ended, evaluateIndependently } from "./independent.js";
import { treeOf } from "./tree-of.js";

const long = process.env["MODE"] === "long";
const RUNS = long ? 100_000 : 1500;

const LOCALES = ["en-US", "de-DE", "ar-EG", "tr"] as const;
const ZONES = ["UTC", "America/New_York", "Asia/Kathmandu"] as const;
const places = fc.record({ locale: fc.constantFrom(...LOCALES), timeZone: fc.constantFrom(...ZONES) });

let zoneBefore: string | undefined;
beforeAll(() => {
  zoneBefore = process.env["TZ"];
});
afterAll(() => {
  if (zoneBefore === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zoneBefore;
});

type Place = { readonly locale: string; readonly timeZone: string };

/** What both evaluators return: a value, or why there is none. */
function compare(tree: Expression, scopes: readonly unknown[], indexes: readonly number[], place: Place): void {
  process.env["TZ"] = place.timeZone;
  const independent = outcomeOf(() => evaluateIndependently(tree, scopes, indexes, place));
  if (independent === "limit") return; // What counts is only that it ends.
  const ours = outcomeOf(() => evaluate(tree, scopes, indexes, place));
  if (ours === "limit") return;
  // Which of several errors is found first may differ.
  if (typeof ours === "string" && typeof independent === "string") return;
  expect(ours).toEqual(independent);
}

function outcomeOf(evaluation: () => unknown): unknown {
  try {
    return { value: comparable(evaluation()) };
  } catch (error) {
    if (error instanceof Ended) return error.code;
    if (error instanceof Error && "code" in error) return error.code;
    throw error;
  }
}

/** V8 and Intl name the zones of old dates differently. */
function withoutZoneName(text: string): string {
  return text.replaceAll(/(GMT[+-]\d{4}) \([^)]*\)/g, "$1");
}

/** Values as data that shows their types. */
function comparable(value: unknown): unknown {
  if (typeof value === "function") return "a function";
  if (typeof value === "string") return withoutZoneName(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Date) return { date: value.getTime() };
  if (value instanceof RegExp) return { pattern: withoutZoneName(String(value)) };
  if (value instanceof Map) return { map: [...value].map(comparable) };
  if (value instanceof Set) return { set: [...value].map(comparable) };
  if (value instanceof URL || value instanceof URLSearchParams) return { [value.constructor.name]: String(value) };
  if (Symbol.iterator in value && "next" in value) return "an iterator";
  if ("resolvedOptions" in value && typeof value.resolvedOptions === "function") return value.resolvedOptions();
  return Object.entries(value).map(([name, member]) => [name, comparable(member)]);
}

const kinds = [
  "text",
  "number",
  "flag",
  "texts",
  "numbers",
  "items",
  "item",
  "date",
  "maybeText",
  "maybeNumber",
] as const;
const sources = fc
  .constantFrom(...kinds)
  .chain((kind) => fc.oneof(plainExpressions(kind, 2), plainExpressions(kind, 4)));

test("an evaluator written from the document alone returns the same for random programs", () => {
  fc.assert(
    fc.property(sources, variables, places, (part, values, place) => {
      compare(treeOf(print(part)), [values], [], place);
    }),
    { numRuns: RUNS, endOnFailure: true, ...(!long && { seed: 1 }) },
  );
});

const leaves = fc.oneof(
  fc
    .constantFrom<string | number | boolean | null>(
      "",
      "a",
      "12",
      " -7 ",
      "2024-03-31T02:30",
      "😀é",
      "a,b",
      true,
      false,
      null,
    )
    .map((value): Expression => ({ kind: "value", value })),
  fc.constantFrom(0, -0, 1, 2, -1, 2.5, 300, 1e-7).map((value): Expression => ({ kind: "value", value: value })),
  fc.constantFrom("undefined", "NaN").map((name): Expression => ({ kind: "name", name })),
  fc
    .constantFrom("text", "number", "list", "texts", "object", "none", "date", "map", "set", "big", "url", "parameters")
    .map((name): Expression => ({
      kind: "variable",
      names: [name],
    })),
  fc.constantFrom("index" as const).map((kind): Expression => ({ kind, scope: 1 })),
  fc.constantFrom<Expression>(
    { kind: "variable", scope: 1, names: [] },
    { kind: "variable", scope: 1, names: ["price"] },
  ),
  fc
    .constantFrom("a", "\\d+", "(\\w)(?<tail>\\w*)", "")
    .map((source): Expression => ({ kind: "pattern", source, flags: "g" })),
);

const SCOPES = [
  {
    text: "Ann & <Co>",
    number: 49.5,
    list: [3, 1, undefined, 2],
    texts: ["b", "a", ""],
    object: { b: 1, a: "x", 1: true },
    none: null,
    date: new Date(1_711_846_800_000),
    map: new Map([["a", 1]]),
    set: new Set([1, 2, 1]),
    big: 12n,
    url: new URL("https://ann@example.com:8080/mail?a=1&b=%20&a=2#top"),
    parameters: new URLSearchParams("b=2&a=1&b=%C3%A4"),
  },
  { price: 2, label: "Tea" },
] as const;

const UNARY = ["!", "-", "+", "~", "typeof"];
const BINARY = "+ - * / % ** & | ^ << >> >>> == != === !== < <= > >= && || ??".split(" ");
const METHODS =
  "at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match normalize padEnd padStart repeat replace replaceAll search slice split startsWith substr substring toLocaleUpperCase toLowerCase toString toUpperCase trim valueOf toExponential toFixed toLocaleString toPrecision entries every filter find findIndex findLast findLastIndex flat flatMap join keys map pop reduce reduceRight reverse shift some sort splice toReversed toSorted toSpliced values with getDate getDay getFullYear getHours getTime getTimezoneOffset getUTCHours toDateString toISOString toJSON toLocaleDateString toTimeString toUTCString exec test get has constructor __proto__ apply length size source lastIndex push unshift fill copyWithin setDate setMonth setHours setFullYear setUTCDate setTime add delete clear set append getAll searchParams href".split(
    " ",
  );
const CHANGES =
  "copyWithin fill pop push reverse shift sort splice unshift length 0 3 setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate setUTCHours setUTCMonth setYear add clear delete set append hash host href pathname port protocol search origin searchParams size getDate at constructor __proto__".split(
    " ",
  );
const NAMES =
  "Boolean Number String BigInt isNaN parseInt parseFloat encodeURIComponent decodeURI Math.round Math.max Math.sign Math.hypot Number.isInteger Array.isArray Array.from Array.of Object.entries Object.fromEntries Object.keys Object.values Object.hasOwn Object.is Object.assign Date.UTC Date.parse JSON.stringify JSON.parse Date.now Math.random eval Function globalThis process String.fromCharCode".split(
    " ",
  );
const CLASSES = "Date Map Set Array RegExp Function Promise".split(" ");

/** Trees of any operation on any values: most of them throw. */
const trees = fc.letrec<{ tree: Expression; callback: Expression; argument: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    leaves,
    fc.record({ kind: fc.constant("unary" as const), operator: fc.constantFrom(...UNARY), of: tie("tree") }),
    fc.record({
      kind: fc.constant("binary" as const),
      operator: fc.constantFrom(...BINARY),
      left: tie("tree"),
      right: tie("tree"),
    }),
    fc.record({ kind: fc.constant("if" as const), test: tie("tree"), yes: tie("tree"), no: tie("tree") }),
    fc.record({
      kind: fc.constant("text" as const),
      parts: fc.array(fc.oneof(fc.constant("-"), tie("tree")), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("list" as const), items: fc.array(tie("argument"), { maxLength: 3 }) }),
    fc.record({
      kind: fc.constant("object" as const),
      members: fc.array(fc.tuple(fc.constantFrom("a", "b", "1", "length", "__proto__"), tie("tree")), { maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant("child" as const), of: tie("tree") }),
    fc.record({
      kind: fc.constant("member" as const),
      of: tie("tree"),
      name: fc.constantFrom<string | number>(...METHODS, 0, 1, "a"),
    }),
    fc.record({ kind: fc.constant("item" as const), of: tie("tree"), key: tie("tree") }),
    fc.record({
      kind: fc.constant("call" as const),
      callee: fc.record({ kind: fc.constant("member" as const), of: tie("tree"), name: fc.constantFrom(...METHODS) }),
      args: fc.array(tie("argument"), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("change" as const),
      of: tie("tree"),
      names: fc.oneof(
        fc.constantFrom(...CHANGES).map((name) => [name]),
        fc.constantFrom(...CHANGES).map((name) => ["searchParams", name]),
      ),
      args: fc.array(tie("argument"), { maxLength: 4 }),
    }),
    fc.record({
      kind: fc.constant("call" as const),
      callee: fc.constantFrom(...NAMES).map((name) => ({ kind: "name" as const, name })),
      args: fc.array(tie("argument"), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("call" as const),
      callee: fc.constantFrom(...CLASSES).map((name) => ({ kind: "name" as const, name })),
      args: fc.array(tie("argument"), { maxLength: 2 }),
      isNew: fc.constantFrom(true, true, false),
    }),
  ),
  argument: fc.oneof(
    { weight: 4, arbitrary: tie("tree") },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("spread" as const), of: tie("tree") }) },
  ),
  callback: fc.record({
    kind: fc.constant("function" as const),
    parameters: fc.constantFrom<readonly string[]>(["a"], ["a", "b"], ["a", "b", "c"], []),
    body: fc.oneof(
      fc.constantFrom("a", "b", "c").map((name): Expression => ({ kind: "parameter", name })),
      fc.record({
        kind: fc.constant("binary" as const),
        operator: fc.constantFrom("+", "-", "<", "==="),
        left: fc.constant<Expression>({ kind: "parameter", name: "a" }),
        right: tie("tree"),
      }),
      tie("tree"),
    ),
  }),
})).tree;

test("and for any operation on values of any type", () => {
  fc.assert(
    fc.property(trees, places, (tree, place) => {
      compare(tree, SCOPES, [2], place);
    }),
    { numRuns: RUNS * 4, endOnFailure: true, ...(!long && { seed: 1 }) },
  );
});

test("and for what replaces an operation that throws", () => {
  const parsed = (text: string): Expression => ({
    kind: "call",
    callee: { kind: "name", name: "JSON.parse" },
    args: [{ kind: "value", value: text }],
  });
  const unknown = { kind: "name", name: "globalThis" } as const;
  const caught = { kind: "try", of: parsed("{"), otherwise: parsed("[2]") } as const;
  for (const tree of [
    caught,
    { ...caught, of: parsed("[1]") },
    { ...caught, otherwise: parsed("") },
    { ...caught, of: { kind: "item", of: caught, key: parsed("-") } },
    { ...caught, of: unknown },
    { ...caught, otherwise: unknown },
  ] as const)
    compare(tree, SCOPES, [2], { locale: "en-US", timeZone: "UTC" });
});
