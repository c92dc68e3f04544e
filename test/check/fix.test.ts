import { describe, expect, it } from "vitest";
import { fix } from "../../src/check/fix.js";
import type { Diagnostic } from "../../src/diagnostic.js";

type Change = readonly [line: number, column: number, remove: string, insert: string];

function finding(...changes: readonly Change[]): Diagnostic {
  const edits = changes.map(([line, column, remove, insert]) => ({
    at: { file: "/a.html", line, column },
    remove,
    insert,
  }));
  return { rule: "x", severity: "warning", message: "Bad.", edits };
}

/** The new text, and how many findings are fixed. */
function fixed(text: string, ...findings: readonly Diagnostic[]): readonly [text: string | undefined, count: number] {
  const result = fix(findings, (file) => (file === "/a.html" ? text : undefined));
  return [result.texts.get("/a.html"), result.fixed.length];
}

describe("fix", () => {
  it("applies several edits to a file", () => {
    const text = '<html>\n<img src="a"> <img src="b">\n<a href="http://x">';
    const changes = [
      finding([2, 5, "", ' alt=""']),
      finding([2, 19, "", ' alt=""']),
      finding([3, 10, "http:", "https:"]),
      finding([1, 6, "", ' lang="en"']),
    ];
    expect(fixed(text, ...changes)).toEqual([
      '<html lang="en">\n<img alt="" src="a"> <img alt="" src="b">\n<a href="https://x">',
      4,
    ]);
  });

  it("skips edits whose source has changed", () => {
    expect(fixed("abc", finding([1, 1, "b", "x"]))).toEqual([undefined, 0]);
    expect(fixed("abc", finding([2, 1, "", "x"]))).toEqual([undefined, 0]);
    expect(fixed("ab\nc", finding([1, 5, "", "x"]))).toEqual([undefined, 0]);
  });

  it("applies all edits of a finding, or none", () => {
    expect(fixed("abc", finding([1, 1, "a", "x"], [1, 3, "no", "y"]))).toEqual([undefined, 0]);
    expect(fixed("abc", finding([1, 1, "a", "x"], [1, 3, "c", "y"]))).toEqual(["xby", 1]);
  });

  it("leaves edits that touch others for the next round", () => {
    expect(fixed("abc", finding([1, 1, "ab", "x"]), finding([1, 2, "bc", "y"]))).toEqual(["xc", 1]);
    expect(fixed("abc", finding([1, 2, "", "x"]), finding([1, 2, "", "y"]))).toEqual(["axbc", 1]);
  });

  it("applies an edit once that several findings share", () => {
    expect(fixed("abc", finding([1, 2, "", "x"]), finding([1, 2, "", "x"]))).toEqual(["axbc", 2]);
  });

  it("keeps line endings and a byte order mark", () => {
    expect(fixed("\uFEFFa\r\nb\r\nc", finding([1, 1, "a\nb", "x\ny"]), finding([3, 1, "c", "z"]))).toEqual([
      "\uFEFFx\r\ny\r\nz",
      2,
    ]);
    expect(fixed("a\rb\nc", finding([2, 1, "", "x"]), finding([3, 1, "", "y"]))).toEqual(["a\rxb\nyc", 2]);
  });

  it("changes no file that it can't read", () => {
    expect(fix([finding([1, 1, "", "x"])], () => undefined)).toMatchObject({ fixed: [] });
  });
});
