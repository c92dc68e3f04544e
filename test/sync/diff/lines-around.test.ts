import * as fc from "fast-check";
import { expect, test } from "vitest";
import { linesAround } from "../../../src/sync/diff/hunks.js";

const lines = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 30 });
const textOf = (all: readonly string[]) => `${all.join("\n")}.`;

test("shows differences with surrounding lines, and skips the lines in between", () => {
  const from = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  const to = from.map((line) => (line === "2" ? "two" : line === "8" ? "eight" : line));
  const shown = linesAround({ field: "text_body", from: from.join("\n"), to: to.join("\n") }, 1);
  expect(shown.map(({ kind, text }) => `${kind} ${text}`.trim())).toEqual([
    "same 1",
    "removed 2",
    "added two",
    "same 3",
    "skipped",
    "same 7",
    "removed 8",
    "added eight",
    "same 9",
  ]);
});

test("shows both sides completely with all surrounding lines", () => {
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      const [from, to] = [textOf(one), textOf(other)];
      fc.pre(from !== to);
      const shown = linesAround({ field: "text_body", from, to }, 100);
      const without = (left: string) => shown.filter(({ kind }) => kind !== left).map(({ text }) => text);
      expect(without("added").join("\n")).toBe(from);
      expect(without("removed").join("\n")).toBe(to);
    }),
  );
});
