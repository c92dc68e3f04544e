import { describe, expect, it } from "vitest";
import { codeFrame, shownLines } from "../../src/cli/report/code-frame.js";
import { table } from "../../src/cli/report/table.js";

describe("codeFrame", () => {
  it("marks the column below its line", () => {
    expect(codeFrame(shownLines("one\ntwo\nthree\nfour"), 2, 3)).toBe("  1 | one\n> 2 | two\n    |   ^\n  3 | three");
  });

  it("cuts a long line around the column and keeps the mark under it", () => {
    const line = `${"a".repeat(500)}X${"b".repeat(500)}`;
    const [, source = "", mark = ""] = (codeFrame(shownLines(`\n${line}`), 2, 501) ?? "").split("\n");
    expect(source.length).toBeLessThan(130);
    expect(source[mark.indexOf("^")]).toBe("X");
  });

  it("shows nothing for a line that is not there", () => {
    expect(codeFrame(shownLines("one"), 2)).toBeUndefined();
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
