import { describe, expect, it } from "vitest";
import { evaluate } from "../../../src/mustache/expression/evaluate.js";
import type { Expression } from "../../../src/mustache/expression/expression.js";
import { expressionOfSource } from "./expression-of-source.js";
import { CONTEXT } from "./native.js";

const LONG = "a".repeat(1_000_000);
const ITEMS = Array.from({ length: 1000 }, (_, index) => ({ id: index, name: `Item ${index}` }));
const VARIABLES = { long: LONG, many: Array.from({ length: 100_000 }, (_, index) => index), items: ITEMS };

function run(expression: Expression): unknown {
  return evaluate(expression, [VARIABLES], [0], CONTEXT);
}

describe("limits", () => {
  it.each([
    "long + long",
    "`${long}${long}`",
    "long.repeat(2)",
    "'ab'.repeat(1e9)",
    "long.concat(long)",
    "long.padEnd(2e6)",
    "'a'.padStart(1e9, 'b')",
    "long.replaceAll('a', 'bb')",
    "long.replaceAll('a', long)",
    "long.replace(/a/g, '$`')",
    "long.replace(/a/g, () => long)",
    "encodeURIComponent('%'.repeat(900000))",
    "[long, long].join()",
    "many.join(long)",
    "many.map(() => long).join()",
    "Array.from({ length: 1e9 })",
    "Array.from({ length: 1e9 }, () => 1)",
    "Array(1e9)",
    "new Array(1e9)",
    "[...many, ...many, ...many, ...many, ...many, ...many, ...many, ...many, ...many, ...many, ...many]",
    "many.flatMap(() => many)",
    "many.map(() => many).flat()",
    "[].concat(...many.map(() => many))",
    "long.split('').map((c) => c + c)",
    "many.reduce((all) => [all, all], [1])",
    "many.reduce((all) => ({ a: all, b: all }), {})",
    "JSON.stringify(many.reduce((all) => [all, all], [1]))",
    "many.reduce((all) => all + all, 'a')",
    "many.reduce((all) => all * all, 3n)",
    "10n ** 1000000n",
    "1n << 1000000000n",
    "1n >> -1000000000n",
    "BigInt('1'.repeat(500000))",
    "many.map(() => many.map((x) => x))",
    "many.map((x) => many.includes(-1))",
    "many.map((x) => many.indexOf(-1)).length",
    "many.toSorted((a, b) => many.toSorted((c, d) => c - d).length)",
    "((f) => f(f))((f) => f(f))",
    "((f) => [f(f), f(f)])((f) => [f(f), f(f)])",
    "many.map((x) => new Intl.NumberFormat('en', { minimumFractionDigits: x % 20, minimumIntegerDigits: 1 + (x % 21) }).format(x))",
    "/(a+)+b/.test('a'.repeat(60))",
    "'a'.repeat(60).match('(a+)+b')",
    "'a'.repeat(60).replace(new RegExp('(a|a)*b'), '')",
    "'a'.repeat(60).split(/(a|aa)+b/)",
    "JSON.stringify(many, many.map(String), 10)",
    "String(many.map(() => many))",
  ])("end %s", (source) => {
    const started = performance.now();
    expect(() => run(expressionOfSource(source))).toThrow(expect.objectContaining({ code: "limit" }));
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it("end an expression that is nested too deeply", () => {
    const nested = (levels: number, wrap: (inner: Expression) => Expression): Expression => {
      let expression: Expression = { kind: "value", value: 1 };
      for (let level = 1; level < levels; level += 1) expression = wrap(expression);
      return expression;
    };
    const wraps: ((inner: Expression) => Expression)[] = [
      (of) => ({ kind: "unary", operator: "-", of }),
      (of) => ({ kind: "list", items: [of] }),
      (left) => ({ kind: "binary", operator: "+", left, right: { kind: "value", value: 1 } }),
      (body) => ({
        kind: "call",
        callee: { kind: "member", of: { kind: "list", items: [{ kind: "value", value: 1 }] }, name: "map" },
        args: [{ kind: "function", parameters: [], body }],
      }),
    ];
    for (const wrap of wraps) {
      expect(() => run(nested(90, wrap))).not.toThrow();
      expect(() => run(nested(100_000, wrap))).toThrow(expect.objectContaining({ code: "limit" }));
    }
  });

  it("leave room for what templates do", () => {
    expect(
      run(
        expressionOfSource("items.map((i) => i.name.toUpperCase()).filter((n, i, all) => all.indexOf(n) === i).length"),
      ),
    ).toBe(1000);
    expect(run(expressionOfSource("items.reduce((sum, i) => sum + i.id, 0)"))).toBe(499_500);
    expect(run(expressionOfSource("items.map((a) => items.find((b) => b.id === a.id % 10).name).length"))).toBe(1000);
    expect(run(expressionOfSource("items.toSorted((a, b) => b.name.localeCompare(a.name))[0].name"))).toBe("Item 999");
    expect(run(expressionOfSource("long.replace(/b+/g, '').length"))).toBe(1_000_000);
    expect(
      run(
        expressionOfSource(
          "items.map((i) => i.id.toLocaleString('en', { style: 'currency', currency: 'EUR' })).length",
        ),
      ),
    ).toBe(1000);
  });
});
