import { isCelError } from "@bufbuild/cel";
import { getTestRegistry } from "@bufbuild/cel-spec/testdata/registry.js";
import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from "@bufbuild/cel-spec/testdata/tests.js";
import { describe, expect, test } from "vitest";
import { celCompiler } from "../../../src/service/patterns/cel.js";
import { startApi } from "../harness.js";
import { expectedText, inputOf, resultText } from "./cel-values.js";

const long = process.env["MODE"] === "long";
const registry = getTestRegistry();

/** Suites of extensions that rules do not have, of two-variable macros (also an extension) and of the type checker. */
const others = /^(bindings|block|encoders|math|network|proto2)_ext$|^macros2$|^optionals$|^type_deductions$|^unknowns$/;

/**
 * Cases that the evaluator does not support: extension fields of messages, enums with their own type, and one lookup.
 */
const unsupported = [
  (_: string, expr: string) => expr.includes("`cel.expr.conformance.proto2."),
  (suite: string) => suite.startsWith("strong_proto"),
  (_: string, expr: string) => expr === "{0: 1, 0u: 2}[0.0]",
];

const suites = getConformanceSuite().suites.filter(({ name }) => !others.test(name));

interface Case {
  readonly suite: string;
  readonly original: IncrementalTest["original"];
}

function casesOf({ name, tests, suites: inner }: IncrementalTestSuite): Case[] {
  return [...tests.map(({ original }) => ({ suite: name, original })), ...inner.flatMap(casesOf)];
}

/** How a case's result differs from what it expects. Undefined if it does not. */
function difference({ original }: Case): string | undefined {
  const { expr, container: namespace, bindings, resultMatcher } = original;
  const variables = Object.fromEntries(
    Object.entries(bindings).flatMap(([name, { kind }]) =>
      kind.case === "value" ? [[name, inputOf(kind.value, registry)]] : [],
    ),
  );
  let result;
  try {
    result = celCompiler({ namespace, registry })(expr)(variables);
  } catch (error) {
    return resultMatcher.case === "evalError" ? undefined : String(error);
  }
  if (resultMatcher.case === "evalError") {
    return isCelError(result) ? undefined : `${resultText(result, registry)} instead of an error`;
  }
  if (isCelError(result)) return result.message;
  const expected = resultMatcher.case === "value" ? expectedText(resultMatcher.value, registry) : "true";
  const got = resultText(result, registry);
  return got === expected ? undefined : `${got} instead of ${expected}`;
}

describe("the conformance cases of CEL", () => {
  test.each(suites.map((suite) => [suite.name, suite] as const))("%s", (_, suite) => {
    const cases = casesOf(suite).filter(
      (each) => !unsupported.some((isUnsupported) => isUnsupported(each.suite, each.original.expr)),
    );
    expect(cases).not.toEqual([]);
    const wrong = cases.flatMap((each) => {
      const problem = difference(each);
      return problem === undefined ? [] : [`${each.original.expr} → ${problem}`];
    });
    expect(wrong).toEqual([]);
  });

  test("are more than 1,600", () => {
    expect(suites.flatMap(casesOf).length).toBeGreaterThan(1_600);
  });
});

test("every expression of the cases is either accepted as a rule or refused because it does not compile", async () => {
  const api = await startApi();
  const expressions = getConformanceSuite()
    .suites.flatMap(casesOf)
    .map(({ original }) => original.expr)
    .filter((_, index) => long || index % 12 === 0);
  for (let start = 0; start < expressions.length; start += 500) {
    const rules = expressions
      .slice(start, start + 500)
      .map((expression) => ({ type: "cel", config: { expression, forward: "ada@example.com" } }));
    const answer = await api.post("/domains/example.test/rules/batch", { rules });
    const { added_count: added, failed } = JSON.parse(answer.text) as {
      added_count: number;
      failed: { message: string }[];
    };
    expect(added + failed.length).toBe(rules.length);
    for (const { message } of failed) expect(message).toMatch(/^config\.expression (does not compile: |is required)/);
  }
});
