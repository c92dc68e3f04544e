import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { groupDiagnostics, selectListed } from "../../src/cli/report/group.js";
import { type CheckReport, listed, summary } from "../../src/cli/report/check-report.js";
import { prettyDiagnostics } from "../../src/cli/report/diagnostics.js";
import { formats } from "../../src/cli/report/formats.js";
import type { Diagnostic, Severity } from "../../src/diagnostic.js";

const plain = (_format: unknown, text: string): string => text;

const syntax: Diagnostic = {
  rule: "mustache-syntax",
  severity: "error",
  message: '{{#a}} is never closed, 100%: <b> & "q"',
  template: "receipt",
  at: { file: "/app/templates/a b#1.mjml", line: 3, column: 7 },
  hint: "Close it.",
};
const alone: Diagnostic = { rule: "template-count", severity: "warning", message: "There are many." };
const shared = ["welcome", "receipt", "invite", "bye", "hello"].map((template): Diagnostic => ({
  rule: "image-alt",
  severity: "info",
  message: `No alt (${template}.mjml → _shared/footer.mjml).`,
  template,
  at: { file: "/app/templates/_shared/footer.mjml", line: 2, column: 1 },
  edits: [{ at: { file: "/app/templates/_shared/footer.mjml", line: 2, column: 1 }, remove: "", insert: " " }],
}));

function report(diagnostics: readonly Diagnostic[], changes: Partial<CheckReport> = {}): CheckReport {
  const groups = groupDiagnostics(diagnostics);
  return {
    folder: "/app",
    diagnostics: groups,
    shown: selectListed(groups, { level: "info", max: Infinity }),
    checked: ["bye", "hello", "invite", "welcome"],
    unchecked: ["receipt"],
    rules: [
      { id: "image-alt", summary: "An image has no alt text.", severity: "warning" },
      { id: "mustache-syntax", summary: "A tag is not Mustache.", severity: "error" },
    ],
    ...changes,
  };
}

const all = report([syntax, ...shared, alone]);

describe("groupDiagnostics", () => {
  it("merges identical findings at the same position, without the include path", () => {
    expect(all.diagnostics.map(({ rule, message, templates }) => [rule, message, templates])).toEqual([
      ["template-count", "There are many.", []],
      ["image-alt", "No alt.", ["bye", "hello", "invite", "receipt", "welcome"]],
      ["mustache-syntax", syntax.message, ["receipt"]],
    ]);
  });

  it("doesn't merge different findings, and keeps the include path of a single one", () => {
    const [first, second] = shared as [Diagnostic, Diagnostic];
    const others = [
      { ...second, hint: "Add it." },
      { ...second, severity: "error" } as const,
      { ...second, at: syntax.at },
    ];
    for (const other of others) expect(groupDiagnostics([first, other as Diagnostic])).toHaveLength(2);
    expect(groupDiagnostics([first])[0]?.message).toBe("No alt (welcome.mjml → _shared/footer.mjml).");
  });

  it("doesn't merge findings about whole templates", () => {
    const file = { file: "/app/a.html" };
    const whole = ["a", "b"].map((template): Diagnostic => ({ ...alone, template, at: file }));
    expect(groupDiagnostics(whole)).toHaveLength(2);
  });
});

describe("summary", () => {
  it("says 'no findings' only if everything was checked", () => {
    expect(summary(report([], { unchecked: [] }))).toBe("4 templates checked: no findings.");
    expect(summary(report([], { checked: ["a"], unchecked: [] }))).toBe("1 template checked: no findings.");
    expect(summary(report([], { checked: [], unchecked: [] }))).toBe("There are no templates to check.");
    expect(summary(report([syntax]))).toBe(
      "4 of 5 templates checked: 1 error.\nNot fully checked, because of errors when compiling: receipt.",
    );
    expect(summary(report([alone], { checked: [], unchecked: [] }))).toBe("No templates were checked: 1 warning.");
  });

  it("states what the check was restricted to", () => {
    const restricted = report([], { unchecked: [], only: ["image-alt"], base: { ref: "main", known: 3 } });
    expect(summary(restricted)).toBe(
      "4 templates checked: no new findings.\nRules run: image-alt.\nNot reported: 3 findings already in main.",
    );
  });

  it("names only some of many templates", () => {
    expect(listed(["a"])).toBe("a");
    expect(listed(["a", "b"])).toBe("a and b");
    expect(listed(["a", "b", "c", "d"])).toBe("a, b, c and d");
    expect(listed(["a", "b", "c", "d", "e"])).toBe("a, b, c and 2 more templates");
  });
});

describe("formats", () => {
  it("pretty: the position, the line, the hint, the templates, and the summary at the end", () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "report-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(path.join(folder, "templates"));
    writeFileSync(path.join(folder, "templates/a.html"), "one\r\n<img>\r\nthree");
    const at = { file: path.join(folder, "templates/a.html"), line: 2, column: 1 };
    const diagnostics = ["a", "b"].map((template): Diagnostic => ({ ...syntax, message: "Bad.", at, template }));
    expect(formats.pretty(report(diagnostics, { folder, checked: ["c"], unchecked: ["a", "b"] }), plain)).toBe(
      [
        "error Bad. mustache-syntax",
        `  ${path.join("templates", "a.html")}:2:1 in a and b`,
        "    1 | one",
        "  > 2 | <img>",
        "      | ^",
        "    3 | three",
        "  Close it.",
        "",
        "1 of 3 templates checked: 1 error.",
        "Not fully checked, because of errors when compiling: a and b.",
      ].join("\n"),
    );
    expect(prettyDiagnostics([{ ...alone, template: "a" }], folder, plain)).toBe(
      "warning There are many. template-count\n  a",
    );
  });

  it("pretty: errors first, one line per cause, a table of rules, and what to do next", () => {
    const many = Array.from({ length: 12 }, (_, index): Diagnostic => ({
      rule: "table-role",
      severity: "warning",
      message: "This table is only for layout.",
      template: `t${index % 3}`,
      at: { file: `/app/templates/t${index % 3}.html`, line: index + 1, column: 1 },
      edits: [{ at: { file: "/app/a", line: 1, column: 1 }, remove: "", insert: "" }],
    }));
    const reportFrom = (level: Severity, max = 100) =>
      report([...many, syntax, ...shared], {
        shown: selectListed(groupDiagnostics([...many, syntax, ...shared]), { level, max }),
      });
    expect(formats.pretty(reportFrom("warning"), plain).split("\n")).toEqual([
      `error    ${path.join("templates", "a b#1.mjml")}:3:7  ${syntax.message}  mustache-syntax`,
      `warning  ${path.join("templates", "t0.html")}:1:1  This table is only for layout. (and 11 more in 3 files)  table-role`,
      "",
      "RULE             ERRORS  WARNINGS  FIXABLE",
      "mustache-syntax  1",
      "table-role               12        12",
      "For details about a rule, use --explain RULE. To see every place that it reports, use --rule RULE --frames.",
      "",
      `4 of 5 templates checked: 1 error, 12 warnings, 1 note.`,
      "Not fully checked, because of errors when compiling: receipt.",
      `Not shown: 1 finding of a lower level. To show all, use --level info.`,
      "Fixable: 13 findings. To fix, use --fix.",
    ]);
    const few = formats.pretty(reportFrom("info", 1), plain);
    expect(few).toContain("Not listed: 2 more causes. To list more, use --max N.");
    expect(few).not.toContain("t0.html");
    expect(few).not.toContain("Not shown");
    expect(formats.pretty(reportFrom("error"), plain)).not.toContain("t0.html");
    expect(formats.pretty(reportFrom("warning"), plain, true)).toContain("11 more occurrences: lines 4, 7, 10, ");
  });

  it.each(["json", "github", "sarif", "junit"] as const)("%s: respects the level and the maximum", (format) => {
    const shown = selectListed(all.diagnostics, { level: "warning", max: 1 });
    const printed = formats[format](report([syntax, ...shared, alone], { shown }));
    expect(["mustache-syntax", "template-count", "image-alt"].map((rule) => printed.includes(rule))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("json: matches its schema", () => {
    const schema = z.fromJSONSchema(
      JSON.parse(readFileSync(fileURLToPath(new URL("../../docs/check-output.schema.json", import.meta.url)), "utf8")),
    );
    const shown = selectListed(all.diagnostics, { level: "error", max: 1 });
    const withAll = { ...all, shown, only: ["image-alt"], base: { ref: "main", known: 2 }, fixed: all.diagnostics };
    for (const each of [all, withAll, report([])]) schema.parse(JSON.parse(formats.json(each)));
    expect(JSON.parse(formats.json(withAll))).toMatchObject({ diagnostics: [{ severity: "error" }], notShown: 2 });
    expect(schema.safeParse({ ...JSON.parse(formats.json(all)), more: 1 }).success).toBe(false);
    expect(JSON.parse(formats.json(all))).toMatchObject({
      version: 1,
      diagnostics: [
        { rule: "template-count", templates: [], fixable: false },
        {
          rule: "image-alt",
          severity: "info",
          message: "No alt.",
          at: { file: "templates/_shared/footer.mjml", line: 2, column: 1 },
          templates: ["bye", "hello", "invite", "receipt", "welcome"],
          help: "templates check --explain image-alt",
          fixable: true,
        },
        { rule: "mustache-syntax", hint: "Close it." },
      ],
      summary: { templates: 4, errors: 1, warnings: 1, notes: 1 },
      unchecked: ["receipt"],
    });
  });

  it("github: one command per finding, errors first, special characters escaped", () => {
    expect(formats.github(all).split("\n")).toEqual([
      '::error file=templates/a b#1.mjml,line=3,col=7,title=mustache-syntax::{{#a}} is never closed, 100%25: <b> & "q"%0AClose it.',
      "::warning title=template-count::There are many.",
      "::notice file=templates/_shared/footer.mjml,line=2,col=1,title=image-alt::No alt.%0AIn bye, hello, invite and 2 more templates.",
    ]);
    const odd = { ...alone, at: { file: "/app/a,b:c%.html" } };
    expect(formats.github(report([odd]))).toContain("file=a%2Cb%3Ac%25.html,title=");
  });

  it("github and sarif: paths are relative to the repository if the project is in a subfolder", () => {
    const repository = realpathSync(mkdtempSync(path.join(tmpdir(), "repository-")));
    onTestFinished(() => rmSync(repository, { recursive: true, force: true }));
    mkdirSync(path.join(repository, ".git"));
    const folder = path.join(repository, "packages", "mail");
    mkdirSync(folder, { recursive: true });
    const single = report([{ ...alone, at: { file: path.join(folder, "a.html") } }], { folder });
    expect(formats.github(single)).toContain("file=packages/mail/a.html,");
    expect(formats.sarif(single)).toContain('"uri": "packages/mail/a.html"');
    expect(formats.json(single)).toContain('"file": "a.html"');
  });

  it("sarif: rules, results, regions, and templates that were not checked", () => {
    const log = JSON.parse(formats.sarif(all));
    const pageOf = (rule: string) => {
      const page = expect.stringMatching(`^# ${rule}\n`);
      return { text: page, markdown: page };
    };
    const [run] = log.runs;
    expect(log).toMatchObject({ version: "2.1.0", $schema: expect.stringContaining("sarif-2.1.0") });
    expect(run.tool.driver).toMatchObject({ name: "lettershop", version: expect.stringMatching(/^\d/) });
    expect(run.tool.driver.rules).toEqual([
      {
        id: "image-alt",
        shortDescription: { text: "An image has no alt text." },
        help: pageOf("image-alt"),
        defaultConfiguration: { level: "warning" },
      },
      {
        id: "mustache-syntax",
        shortDescription: { text: "A tag is not Mustache." },
        help: pageOf("mustache-syntax"),
        defaultConfiguration: { level: "error" },
      },
      { id: "template-count" },
    ]);
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(run.results).toMatchObject([
      { ruleId: "template-count", level: "warning", message: { text: "There are many." } },
      { ruleId: "image-alt", level: "note", properties: { templates: expect.arrayContaining(["bye", "welcome"]) } },
      {
        ruleId: "mustache-syntax",
        level: "error",
        message: { text: `${syntax.message} Close it.` },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: "templates/a%20b%231.mjml" },
              region: { startLine: 3, startColumn: 7 },
            },
          },
        ],
      },
    ]);
    expect(run.results[0]).not.toHaveProperty("locations");
    expect(run.invocations[0].toolExecutionNotifications).toMatchObject([
      { level: "error", message: { text: expect.stringContaining('"receipt"') } },
    ]);
  });

  it("junit: a suite per template, failures for errors, well-formed with any text", () => {
    const printed = formats.junit(all);
    expect(printed).toContain('<testsuites name="templates check" tests="8" failures="1">');
    expect(
      [...printed.matchAll(/<testsuite name="([^"]+)" tests="(\d)" failures="(\d)" errors="0" skipped="(\d)">/g)].map(
        (match) => match.slice(1).join(" "),
      ),
    ).toEqual([
      "bye 1 0 0",
      "hello 1 0 0",
      "invite 1 0 0",
      "receipt 2 1 1",
      "welcome 1 0 0",
      "(project) 1 0 0",
      "(several templates) 1 0 0",
    ]);
    expect(printed).toContain("100%: &lt;b&gt; &amp; &quot;q&quot;");
    const odd = formats.junit(report([{ rule: "x", severity: "error", message: "\u0000\u001b\ud800 😀" }]));
    expect(odd).not.toMatch(/[\u0000\u001b]|\p{Surrogate}/u);
    expect(odd).toContain("😀");
  });
});
