import * as fc from "fast-check";
import { describe, it } from "vitest";
import { expectSame } from "./native.js";

const UNARY = ["!", "-", "+", "~", "typeof "];
const BINARY = "+ - * / % ** < <= > >= == != === !== & | ^ << >> >>> && || ?? in".split(" ");

const NUMBERS = [0, -0, 1, -1, 2, 0.1, -2.5, 3.7, 31, 33, 1e21, 1e-7, 2 ** 31, 2 ** 53, NaN, Infinity, -Infinity];
const STRINGS = [
  "",
  " ",
  "a",
  "b",
  "ab",
  "0",
  "1",
  "-1.5",
  " 12\n",
  "1e3",
  "0x1f",
  "1,5",
  "Infinity",
  "NaN",
  "😀",
  "10",
];
const OTHERS = [undefined, null, true, false, 0n, 1n, -7n, 1000n];
const OBJECTS = [[], [1], [1, 2], ["a"], [null], [[2]], {}, { a: 1 }, new Date(0), new Set([1])];
const VALUES: readonly unknown[] = [...NUMBERS, ...STRINGS, ...OTHERS, ...OBJECTS];

describe("operators", () => {
  it.each(UNARY)("%s means what it means in JavaScript, for every kind of value", (operator) => {
    for (const a of VALUES) expectSame(`${operator}a`, { a });
  });

  it.each(BINARY)("%s means what it means in JavaScript, for all pairs of values", (operator) => {
    for (const a of VALUES) for (const b of VALUES) expectSame(`a ${operator} b`, { a, b });
  });

  it("converts strings to numbers as JavaScript does", () => {
    const digits = fc.array(fc.constantFrom(..."0123456789.eE+-xob_nInfinity \n\u00a0,".split("")), { maxLength: 8 });
    const texts = fc.oneof(
      digits.map((all) => all.join("")),
      fc.double().map(String),
      fc.string(),
    );
    fc.assert(
      fc.property(texts, (a) => {
        for (const source of [
          "+a",
          "a * 1",
          "Number(a)",
          "parseFloat(a)",
          "parseInt(a)",
          "parseInt(a, 16)",
          "a == 0",
          "a < 5",
        ])
          expectSame(source, { a });
      }),
    );
  });

  it("computes with numbers as JavaScript does", () => {
    const numbers = fc.oneof(fc.double(), fc.integer(), fc.float(), fc.constantFrom(...NUMBERS));
    fc.assert(
      fc.property(numbers, numbers, fc.constantFrom(...BINARY.slice(0, -1)), (a, b, operator) => {
        expectSame(`a ${operator} b`, { a, b });
        expectSame("`${a} ${b}`", { a, b });
      }),
    );
  });

  it.each([
    "[1] + 1",
    "undefined + 1",
    "null * 2",
    "1 + '2'",
    "'b' + 'a' + +'a' + 'a'",
    "1n + 2n * 3n",
    "10n ** 30n",
    "typeof undefined",
    "typeof (() => 1)",
    "typeof Math.round",
    "typeof 'a'.trim",
    "typeof 'a'.nothing",
    "new Date(5) - new Date(3)",
    "new Date(5) < new Date(6)",
    "+new Date(7)",
    "[] instanceof Array",
    "new Date(0) instanceof Date",
    "new Date(0) instanceof Object",
    "'a' instanceof Object",
    "new Map() instanceof Map",
    "/a/ instanceof RegExp",
    "0 || null || 'x'",
    "0 ?? 1",
    "'' && missing.member",
    "({ a: 1, b: { c: [1, 2] } }).b.c[1]",
    "({ a: 1, b: 2, a: 3 })",
    "({ b: 1, ...{ a: 2, b: 3 }, ...'xy', ...[4], ...null, ...1, ...new Map([[1, 2]]), ...(() => 1) })",
    "({ [`a${1}`]: 1, [[1, 2]]: 2, [3]: 3, ['__proto__']: 4 })",
    "({ 2: 'b', x: 1, 1: 'a' })",
    "[...'a😀', ...[1], ...new Set([2, 2]), ...new Map([[3, 4]])]",
    "[1, 2, 3][1.0]",
    "[1, 2, 3]['1']",
    "[1, 2, 3]['01']",
    "'abc'[1]",
    "'abc'[5]",
    "'abc'.length",
    "[1, 2].length",
    "`a${1}b${[1, 2]}c${null}`",
    "((f) => f(f(2)))((n) => n * n)",
    "((a) => ((b) => a + b)(2))(1)",
  ])("computes %s", (source) => {
    expectSame(source, { missing: undefined });
  });
});
