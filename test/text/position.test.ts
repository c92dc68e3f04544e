import * as fc from "fast-check";
import { expect, test } from "vitest";
import { offsetAt, positionAt, positionsIn } from "../../src/text/position.js";

test.each([
  ["", 0, 1, 1],
  ["Hi {{name}}", 3, 1, 4],
  ["Hi\n{{name}}", 3, 2, 1],
  ["Hi\n", 2, 1, 3],
  ["Hi\n", 3, 2, 1],
  ["\n\n\nx", 3, 4, 1],
  ["😀x", 2, 1, 3],
])("in %j offset %d is line %d, column %d", (text, offset, line, column) => {
  expect(positionAt(text, offset)).toEqual({ line, column });
});

test("a position converts back to its offset", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "é", "😀") });
  fc.assert(
    fc.property(text, fc.nat(), (source, anywhere) => {
      const offset = anywhere % (source.length + 1);
      expect(offsetAt(source, positionsIn(source)(offset))).toBe(offset);
    }),
  );
});

test("a missing line has no offset", () => {
  expect(offsetAt("Hi\n{{name}}", { line: 3, column: 1 })).toBeUndefined();
});
