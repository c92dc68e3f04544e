import { describe, expect, it } from "vitest";
import { codeFrame } from "../../src/cli/report/code-frame.js";
import { describePlan } from "../../src/cli/report/sync-report.js";
import { table } from "../../src/cli/report/table.js";

const plain = (_format: unknown, text: string): string => text;
describe("codeFrame", () => {
  it("marks the column below its line", () => {
    expect(codeFrame("one\ntwo\nthree\nfour", 2, 3)).toBe("  1 | one\n> 2 | two\n    |   ^\n  3 | three");
  });

  it("cuts a long line around the column and keeps the mark under it", () => {
    const line = `${"a".repeat(500)}X${"b".repeat(500)}`;
    const [, source = "", mark = ""] = (codeFrame(`\n${line}`, 2, 501) ?? "").split("\n");
    expect(source.length).toBeLessThan(130);
    expect(source[mark.indexOf("^")]).toBe("X");
  });

  it("shows nothing for a line that is not there", () => {
    expect(codeFrame("one", 2)).toBeUndefined();
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

describe("describePlan", () => {
  it("names what changes and counts the rest", () => {
    const lines = describePlan(
      {
        operations: [
          {
            kind: "create",
            name: "welcome",
            fields: { name: "welcome", description: "", subject: "", html_body: "", text_body: "" },
          },
          {
            kind: "update",
            name: "receipt",
            changes: [
              { field: "subject", from: "", to: "Hi" },
              { field: "html_body", from: "a\nb\nc", to: "a\nB\nc\nd" },
            ],
          },
        ],
        unchanged: ["x", "y"],
        unmanaged: ["old"],
        obstacles: [],
      },
      plain,
    );
    expect(lines).toEqual([
      "+ create welcome",
      "~ update receipt",
      '    subject: empty → "Hi"',
      "    html_body: +2 −1 lines",
      "Plan: 1 to create, 1 to update, 2 unchanged, 1 on the service only, left alone.",
    ]);
  });
});
