import { expect, it } from "vitest";
import { compareStates, type CheckedState } from "../../src/cli/base-state.js";
import type { Diagnostic } from "../../src/diagnostic.js";

const files: Record<string, string> = {
  "/old/a.html": "<p>\n<img src=a>\n<img src=b>",
  "/new/a.html": "<p>\n<h1>\n<img src=c>\n  <img src=a>\n<img src=b>",
};

function finding(file: string, line: number | undefined, message = "No alt.", template = "a"): Diagnostic {
  const at = { file, ...(line !== undefined && { line }) };
  return { rule: "image-alt", severity: "warning", message, template, at };
}

function state(diagnostics: readonly Diagnostic[]): CheckedState {
  return {
    diagnostics,
    nameOf: (file) => file.slice("/new/".length),
    lineOf: (file, line) => files[file]?.split("\n")[line - 1],
  };
}

/** The lines of new findings. */
function fresh(now: readonly Diagnostic[], before: readonly Diagnostic[]) {
  return compareStates(state(now), state(before)).added.map(({ at, message }) => at?.line ?? message);
}

it("recognises a finding even if its line has moved", () => {
  expect(fresh([finding("/new/a.html", 4)], [finding("/old/a.html", 2)])).toEqual([]);
});

it("finds the new one among others of the same kind", () => {
  const now = [3, 4, 5].map((line) => finding("/new/a.html", line));
  const before = [2, 3].map((line) => finding("/old/a.html", line));
  expect(fresh(now, before)).toEqual([3]);
  expect(fresh(now, [])).toEqual([3, 4, 5]);
});

it("recognises a finding by its line if its message has changed, and by its message if the line has changed", () => {
  expect(fresh([finding("/new/a.html", 4, "98 kB")], [finding("/old/a.html", 2, "97 kB")])).toEqual([]);
  expect(fresh([finding("/new/a.html", 3)], [finding("/old/a.html", 2)])).toEqual([]);
  expect(fresh([finding("/new/a.html", 3, "98 kB")], [finding("/old/a.html", 2, "97 kB")])).toEqual([3]);
  expect(fresh([finding("/new/a.html", undefined, "98 kB")], [finding("/old/a.html", undefined, "97 kB")])).toEqual([]);
});

it("treats a different rule, file or template as a different finding", () => {
  const now = [finding("/new/a.html", 4)];
  expect(fresh(now, [{ ...finding("/old/a.html", 2), rule: "empty-link" }])).toEqual([4]);
  expect(fresh(now, [finding("/old/a.html", 2, "No alt.", "b")])).toEqual([4]);
  expect(fresh(now, [finding("/old/b.html", 2)])).toEqual([4]);
});
