import { describe, expect, it } from "vitest";
import type { Output } from "../../src/cli/output.js";
import { codeFrame, prettyGroups, shownLines } from "../../src/cli/report/diagnostics.js";
import { table } from "../../src/cli/report/table.js";

describe("codeFrame", () => {
  it("marks the column below the line", () => {
    expect(codeFrame(shownLines("one\ntwo\nthree\nfour"), 2, 3)).toBe("  1 | one\n> 2 | two\n    |   ^\n  3 | three");
  });

  it("cuts a long line around the column and keeps the marker under it", () => {
    const line = `${"a".repeat(500)}X${"b".repeat(500)}`;
    const [, source = "", mark = ""] = (codeFrame(shownLines(`\n${line}`), 2, 501) ?? "").split("\n");
    expect(source.length).toBeLessThan(130);
    expect(source[mark.indexOf("^")]).toBe("X");
  });

  it("shows nothing for a line that does not exist", () => {
    expect(codeFrame(shownLines("one"), 2)).toBeUndefined();
  });
});

describe("prettyGroups", () => {
  const finding = (line: number, file = "/project/x.html") => ({
    rule: "table-role",
    severity: "warning" as const,
    message: "This table is only for layout.",
    hint: 'Give it role="presentation".',
    at: { file, line, column: 3 },
    templates: ["x"],
  });
  const plain: Output["style"] = (_, text) => text;

  it("shows identical findings once, with all positions", () => {
    const groups = [finding(4), finding(9), finding(12), finding(2, "/project/y.html")];
    expect(prettyGroups(groups, "/project", plain)).toBe(
      'warning This table is only for layout. table-role\n  x.html:4:3\n  Give it role="presentation".\n  3 more occurrences: lines 9, 12, y.html:2:3.',
    );
  });
});

describe("table", () => {
  it("aligns columns and leaves no space at the end", () => {
    expect(
      table([
        ["NAME", "STATE"],
        ["receipt", "ok"],
        ["a", ""],
      ]),
    ).toBe("NAME     STATE\nreceipt  ok\na");
  });
});
