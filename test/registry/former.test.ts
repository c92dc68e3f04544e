import { expect, test } from "vitest";
import { completeVariables } from "../../src/mustache/complete.js";
import { evaluator } from "../../src/mustache/expression/evaluate.js";
import type { Condition, VariablesContract } from "../../src/mustache/variables.js";
import { formerConditions } from "../../src/registry/former.js";

const input = { type: "object", properties: { cents: { type: "number" } } } as const;

const divided = (by: number): Condition => ({
  name: `cents__${by}`,
  within: [],
  path: ".",
  test: {
    kind: "computed",
    expression: {
      kind: "binary",
      operator: "/",
      left: { kind: "variable", names: ["cents"] },
      right: { kind: "value", value: by },
    },
  },
});
const above = (by: number): Condition => ({
  name: `cents_${by}__is_above_5`,
  within: [],
  path: `cents__${by}`,
  test: { kind: "compares", operator: ">", value: 5 },
});

const contract = (conditions: readonly Condition[], former?: readonly Condition[]): VariablesContract => ({
  input,
  conditions,
  ...(former && { former }),
});
const names = (conditions: readonly Condition[]) => conditions.map(({ name }) => name);

test("what earlier versions needed stays, the newest first, and only once", () => {
  const first = contract([divided(1), above(1)]);
  expect(formerConditions(first, undefined)).toEqual([]);
  expect(formerConditions(first, first)).toEqual([]);
  const second = contract([divided(2)], formerConditions(contract([divided(2)]), first));
  expect(names(second.former ?? [])).toEqual(["cents__1", "cents_1__is_above_5"]);
  // Generating it again changes nothing.
  expect(formerConditions(contract([divided(2)]), second)).toEqual(second.former);
  expect(names(formerConditions(contract([divided(3)]), second))).toEqual([
    "cents__2",
    "cents__1",
    "cents_1__is_above_5",
  ]);
  // What the new version needs again is not former.
  expect(names(formerConditions(contract([divided(1)]), second))).toEqual(["cents__2", "cents_1__is_above_5"]);
});

test("a version that computes much is kept whole", () => {
  const version = (first: number) => Array.from({ length: 50 }, (_, index) => divided(first + index));
  let current = contract(version(1000));
  for (const first of [2000, 3000, 4000, 5000, 6000])
    current = contract(version(first), formerConditions(contract(version(first)), current));
  const kept = names([...version(5000), ...version(4000), ...version(3000), ...version(2000)]);
  expect(names(current.former ?? [])).toEqual(kept);

  const simpler = contract([], formerConditions(contract([]), current));
  expect(formerConditions(contract([]), simpler)).toEqual(simpler.former);
});

test("an application fills both versions", () => {
  const both = contract([divided(100)], [divided(10), above(10)]);
  const completed = completeVariables(both, { cents: 1250 }, {}, { evaluator, locale: "en-US", timeZone: "UTC" });
  expect(completed).toEqual({ cents: 1250, cents__100: "12.5", cents__10: "125", cents_10__is_above_5: true });
});

test("a former value that can't be computed any more does not stop an email", () => {
  const call: Condition = {
    name: "cents__old",
    within: [],
    path: ".",
    test: {
      kind: "computed",
      expression: { kind: "call", callee: { kind: "package", module: "gone", name: "format" }, args: [] },
    },
  };
  const completed = completeVariables(
    contract([divided(100)], [call]),
    { cents: 1250 },
    {},
    { evaluator, locale: "en-US", timeZone: "UTC" },
  );
  expect(completed["cents__100"]).toBe("12.5");
});
