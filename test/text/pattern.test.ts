import * as fc from "fast-check";
import { expect, test } from "vitest";
import { matchesPattern } from "../../src/text/pattern.js";

test.each([
  ["receipt", "receipt", true],
  ["receipt", "receipts", false],
  ["marketing-*", "marketing-spring", true],
  ["marketing-*", "marketing-", true],
  ["marketing-*", "a-marketing-spring", false],
  ["*-internal", "audit-internal", true],
  ["*-internal", "internal", false],
  ["a*b*c", "a-b-c", true],
  ["a*b*c", "acb", false],
  ["ab*ba", "aba", false],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
])("%j over %j: %s", (pattern, name, fits) => {
  expect(matchesPattern(pattern, name)).toBe(fits);
});

test("matches like the equivalent regular expression", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
  fc.assert(
    fc.property(text, fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 }), (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
      expect(matchesPattern(pattern, name)).toBe(expression.test(name));
    }),
  );
});
