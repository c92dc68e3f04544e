import { describe, expect, it } from "vitest";
import { codeFrame } from "../../src/cli/report/code-frame.js";
import { formats } from "../../src/cli/report/formats.js";
import { describePlan } from "../../src/cli/report/sync-report.js";
import { table } from "../../src/cli/report/table.js";
import type { Diagnostic } from "../../src/diagnostic.js";

const plain = (_format: unknown, text: string): string => text;
const context = { folder: "/app", style: plain, checked: 2 };

const findings: readonly Diagnostic[] = [
  {
    rule: "mustache-syntax",
    severity: "error",
    message: '{{#a}} is never closed, 100%: <b> & "q"',
    template: "receipt",
    at: { file: "/app/templates/a b.mjml", line: 3, column: 7 },
    hint: "Close it.",
  },
  { rule: "alt-text", severity: "warning", message: "No alt." },
];

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

describe("formats", () => {
  it("github: one command a finding, special characters escaped", () => {
    expect(formats.github(findings, context).split("\n")).toEqual([
      '::error file=templates/a b.mjml,line=3,col=7,title=mustache-syntax::{{#a}} is never closed, 100%25: <b> & "q"%0AClose it.',
      "::warning title=alt-text::No alt.",
    ]);
  });

  it("sarif: results with rules and regions", () => {
    const log = JSON.parse(formats.sarif(findings, context));
    expect(log.version).toBe("2.1.0");
    expect(log.runs[0].tool.driver.rules).toEqual([{ id: "alt-text" }, { id: "mustache-syntax" }]);
    expect(log.runs[0].results[0]).toMatchObject({
      ruleId: "mustache-syntax",
      ruleIndex: 1,
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "templates/a%20b.mjml" },
            region: { startLine: 3, startColumn: 7 },
          },
        },
      ],
    });
  });

  it("junit: a failure for an error, a passing case for the rest, well-formed whatever the text", () => {
    const report = formats.junit(findings, context);
    expect(report).toContain('tests="2" failures="1"');
    expect(report).toContain("100%: &lt;b&gt; &amp; &quot;q&quot;");
    expect(formats.junit([{ rule: "x", severity: "error", message: "\u0000\u001b" }], context)).not.toMatch(
      /[\u0000\u001b]/,
    );
  });

  it("pretty: says that nothing was found, and how much was looked at", () => {
    expect(formats.pretty([], context)).toBe("2 templates checked: nothing found.");
    expect(formats.pretty(findings, context)).toContain("templates/a b.mjml:3:7");
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
