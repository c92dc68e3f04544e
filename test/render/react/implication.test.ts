import * as fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateCondition } from "../../../src/mustache/complete.js";
import { Shape } from "../../../src/mustache/shape.js";
import type { Question } from "../../../src/mustache/variables.js";
import { impliedByFacts } from "../../../src/render/react/runtime/facts.js";
import { AccessPath } from "../../../src/render/react/runtime/symbolic.js";

const path = new AccessPath({
  names: ["value"],
  shape: Shape.UNKNOWN,
  optional: true,
  sure: false,
  stated: false,
});

const scalars = [null, true, false, 0, 1, 2, 2.5, -1, "", "a", "ab", "abc"];
const values = [...scalars, [], [1], [1, 2], [1, 2, 3], {}];

const question: fc.Arbitrary<Question> = fc.oneof(
  fc.constantFrom<Question>({ kind: "present" }, { kind: "has-items" }, { kind: "truthy" }),
  fc.constantFrom(...scalars).map((value) => ({ kind: "equals", value }) as const),
  fc.constantFrom(1, 2, 3).map((count) => ({ kind: "has-at-least", count }) as const),
  fc.constantFrom(1, 2, 3).map((count) => ({ kind: "has-exactly", count }) as const),
  fc
    .record({ operator: fc.constantFrom("<", "<=", ">", ">="), value: fc.constantFrom(0, 1, 2, 2.5) })
    .map((compared) => ({ kind: "compares", ...compared }) as const),
);

test("what follows from test results about a variable is true of every value with these results", () => {
  fc.assert(
    fc.property(fc.constantFrom(...values), fc.array(question, { maxLength: 4 }), question, (value, given, tested) => {
      const facts = given.map((each) => ({ test: { path, question: each }, answer: evaluateCondition(each, value) }));
      const answer = impliedByFacts(facts, { path, question: tested });
      if (answer !== undefined) expect(answer).toBe(evaluateCondition(tested, value));
    }),
    { numRuns: process.env["MODE"] === "long" ? 3000 : 1000 },
  );
});

test.each<[given: Question, answer: boolean, tested: Question, expected: boolean | undefined]>([
  [{ kind: "compares", operator: ">", value: 5 }, true, { kind: "compares", operator: ">", value: 1 }, true],
  [{ kind: "compares", operator: ">", value: 1 }, false, { kind: "compares", operator: ">", value: 5 }, false],
  [{ kind: "compares", operator: ">", value: 1 }, true, { kind: "compares", operator: ">", value: 5 }, undefined],
  [{ kind: "compares", operator: ">", value: 1 }, false, { kind: "compares", operator: "<=", value: 1 }, undefined],
  [{ kind: "has-at-least", count: 3 }, true, { kind: "has-at-least", count: 2 }, true],
  [{ kind: "has-at-least", count: 2 }, false, { kind: "has-at-least", count: 3 }, false],
  [{ kind: "has-exactly", count: 2 }, true, { kind: "has-at-least", count: 3 }, false],
  [{ kind: "has-exactly", count: 2 }, true, { kind: "has-at-least", count: 1 }, true],
  [{ kind: "equals", value: "a" }, true, { kind: "equals", value: "b" }, false],
  [{ kind: "truthy" }, true, { kind: "present" }, true],
])("%j is %j: %j is %j", (given, answer, tested, expected) => {
  expect(impliedByFacts([{ test: { path, question: given }, answer }], { path, question: tested })).toBe(expected);
});
