import * as fc from "fast-check";
import { expect, test } from "vitest";
import { renderMustache } from "../../src/mustache/fill.js";
import { FillLimitError } from "../../src/mustache/meter.js";
import type { Variables } from "../../src/mustache/variables.js";
import { processorTime } from "../processor-time.js";

const ample = { steps: 1_000_000, length: 5_000_000 };

function fill(text: string, variables: Variables, limits = ample): string {
  return renderMustache(text, variables, { escape: "html", limits });
}

const names = ["a", "b", "a.b", "."];
const { text: texts } = fc.letrec<{ text: string; node: string }>((tie) => ({
  text: fc.array(tie("node"), { maxLength: 4 }).map((nodes) => nodes.join("")),
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("x", "<&", "\n"),
    fc.constantFrom(...names).map((name) => `{{${name}}}`),
    fc.constantFrom(...names).map((name) => `{{{${name}}}}`),
    fc
      .tuple(fc.constantFrom("#", "^"), fc.constantFrom(...names), tie("text"))
      .map(([kind, name, inner]) => `{{${kind}${name}}}${inner}{{/${name}}}`),
  ),
}));

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 7, "", "<Tea>"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b"), tie("value")),
  ),
}));

const variables = fc.record({ a: values, b: values });
const runs = { numRuns: process.env["MODE"] === "long" ? 3000 : 40 };

test("filling within limits gives the same result as without limits", () => {
  fc.assert(
    fc.property(texts, variables, (text, given) => {
      expect(fill(text, given)).toBe(renderMustache(text, given, { escape: "html" }));
    }),
    runs,
  );
});

test("the length is exactly that of the result", () => {
  fc.assert(
    fc.property(texts, variables, (text, given) => {
      const whole = renderMustache(text, given, { escape: "html" });
      expect(fill(text, given, { ...ample, length: whole.length })).toBe(whole);
      if (whole === "") return;
      expect(() => fill(text, given, { ...ample, length: whole.length - 1 })).toThrow(FillLimitError);
    }),
    runs,
  );
});

const hundred = Array.from({ length: 100 }, () => 1);

test.each([
  ["sections that multiply", `${"{{#a}}".repeat(6)}x${"{{/a}}".repeat(6)}`, { a: hundred }],
  ["sections that print nothing", `${"{{#a}}".repeat(6)}${"{{/a}}".repeat(6)}`, { a: hundred }],
  [
    "names that are looked up in many contexts",
    `${"{{#o}}".repeat(190)}{{#a}}{{#a}}${"{{no}}".repeat(100)}{{/a}}{{/a}}${"{{/o}}".repeat(190)}`,
    { o: {}, a: hundred },
  ],
  ["names with many parts", `{{#a}}{{#a}}{{a${".a".repeat(40_000)}}}{{/a}}{{/a}}`, { a: hundred }],
  ["lists that print nothing", "{{a}}".repeat(10_000), { a: Array.from({ length: 100 }, () => [[[[[[[]]]]]]]) }],
])("%s end early", async (_, text, given) => {
  fill("{{b}}", {});
  const taken = await processorTime(() =>
    expect(() => fill(text, given)).toThrow(
      expect.objectContaining({ code: "fill_limit", limit: "steps", max: 1_000_000 }),
    ),
  );
  expect(taken).toBeLessThan(2_000);
});

test.each([
  ["values", "{{{a}}}".repeat(20_000), { a: "y".repeat(100_000) }],
  ["values with escaped characters", "{{a}}", { a: "&".repeat(2_000_000) }],
  ["single values", "{{a}}", { a: "&".repeat(20_000_000) }],
  ["texts", `{{#a}}{{#a}}${"x".repeat(1_000)}{{/a}}{{/a}}`, { a: hundred }],
])("%s that are too long end it", (_, text, given) => {
  expect(() => fill(text, given)).toThrow(expect.objectContaining({ limit: "length", max: 5_000_000 }));
});
