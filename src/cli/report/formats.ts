import { harmless, type Output } from "../output.js";
import {
  type CheckReport,
  countSeverities,
  listed,
  plural,
  relativeTo,
  repositoryOf,
  summary,
} from "./check-report.js";
import type { Cause, GroupedDiagnostic } from "./group.js";
import { isFixable, type Severity } from "../../diagnostic.js";
import { formatPosition, prettyGroups, severityColours } from "./diagnostics.js";
import { table } from "./table.js";
import { rulePage } from "../../check/catalogue.js";
import { VERSION } from "../../version.js";

const sarifLevels = { error: "error", warning: "warning", info: "note" } as const satisfies Record<Severity, string>;

/** SARIF 2.1.0, for code scanning services. */
function sarif({ shown: { diagnostics }, folder, rules, unchecked }: CheckReport) {
  const repository = repositoryOf(folder);
  const ids = [...new Set(diagnostics.map(({ rule }) => rule))].toSorted();
  const driver = {
    name: "lettershop",
    version: VERSION,
    rules: ids.map((id) => {
      const info = rules.find((rule) => rule.id === id);
      if (!info) return { id };
      const page = rulePage(id);
      return {
        id,
        shortDescription: { text: info.summary },
        help: page === undefined ? undefined : { text: page, markdown: page },
        defaultConfiguration: { level: sarifLevels[info.severity] },
      };
    }),
  };
  const invocation = {
    executionSuccessful: true,
    toolExecutionNotifications: unchecked.map((name) => ({
      level: "error",
      message: { text: `The template "${name}" does not compile, so it was not fully checked.` },
    })),
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver },
        invocations: [invocation],
        columnKind: "utf16CodeUnits",
        results: diagnostics.map((group) => resultOf(group, ids, repository)),
      },
    ],
  };
}

/** Regions have no end, so they extend to the end of their line. */
function resultOf(
  { rule, severity, message, hint, at, templates }: GroupedDiagnostic,
  ids: readonly string[],
  repository: string,
) {
  const region = at?.line === undefined ? undefined : { startLine: at.line, startColumn: at.column };
  const uri = at && encodeURI(relativeTo(repository, at.file)).replace(/[#?]/g, encodeURIComponent);
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level: sarifLevels[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: uri === undefined ? undefined : [{ physicalLocation: { artifactLocation: { uri }, region } }],
    ...(templates.length > 0 && { properties: { templates } }),
  };
}

/** Up to this many findings are shown with code frames by default. */
const FRAMES_MAX = 10;

/**
 * The terminal output of `check`: one line per cause, errors first; a table of rules; and what to do next.
 */
function pretty(report: CheckReport, style: Output["style"], frames = false): string {
  const { fixed = [], shown, folder } = report;
  const hasFrames = frames || shown.loud.length <= FRAMES_MAX;
  const parts = [
    fixed
      .map(({ rule, at }) => `${style("green", "fixed")} ${at ? formatPosition(at, folder) : ""} ${style("dim", rule)}`)
      .join("\n"),
    hasFrames
      ? prettyGroups(shown.causes.flat(), folder, style)
      : shown.causes.map((cause) => lineOf(cause, folder, style)).join("\n"),
    hasFrames
      ? ""
      : `${byRule(shown.loud)}\nFor details about a rule, use --explain RULE. To see every place that it reports, use --rule RULE --frames.`,
    [summary(report), ...next(report)].join("\n"),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function lineOf([first, ...others]: Cause, folder: string, style: Output["style"]): string {
  const { severity, rule, message, cause = message, at, templates } = first;
  const place = at === undefined ? templates.join(", ") : formatPosition(at, folder);
  const files = new Set([first, ...others].flatMap((each) => each.at?.file ?? []));
  const inFiles = files.size > 1 ? ` in ${files.size} files` : "";
  const more = others.length === 0 ? "" : ` (and ${others.length} more${inFiles})`;
  return [
    style(severityColours[severity], severity.padEnd(LONGEST)),
    style("cyan", place),
    others.length === 0 ? message : `${cause}${more}`,
    style("dim", rule),
  ].join("  ");
}

const LONGEST = "warning".length;

/** A table of rules by number of findings. */
function byRule(groups: readonly GroupedDiagnostic[]): string {
  const rules = new Map<string, Record<Column, number>>();
  for (const group of groups) {
    const counts = rules.get(group.rule) ?? { error: 0, warning: 0, info: 0, fixable: 0 };
    counts[group.severity] += 1;
    if (isFixable(group, { unsafe: false })) counts.fixable += 1;
    rules.set(group.rule, counts);
  }
  const rows = [...rules].toSorted(([, a], [, b]) => b.error - a.error || b.warning - a.warning || b.info - a.info);
  const columns = COLUMNS.filter(([column]) => rows.some(([, counts]) => counts[column] > 0));
  return table([
    ["RULE", ...columns.map(([, heading]) => heading)],
    ...rows.map(([rule, counts]) => [rule, ...columns.map(([column]) => String(counts[column] || ""))]),
  ]);
}

type Column = Severity | "fixable";

const COLUMNS: readonly (readonly [Column, heading: string])[] = [
  ["error", "ERRORS"],
  ["warning", "WARNINGS"],
  ["info", "NOTES"],
  ["fixable", "FIXABLE"],
];

function next({ diagnostics, fixed, shown: { loud, cut } }: CheckReport) {
  const hidden = diagnostics.length - loud.length;
  const fixable = (unsafe: boolean) => diagnostics.filter((each) => isFixable(each, { unsafe })).length;
  const safely = fixable(false);
  const unsafely = fixable(true) - safely;
  return [
    ...(cut > 0 ? [`Not listed: ${plural(cut, "more cause")}. To list more, use --max N.`] : []),
    ...(hidden > 0 ? [`Not shown: ${plural(hidden, "finding")} of a lower level. To show all, use --level info.`] : []),
    ...(safely > 0 && !fixed ? [`Fixable: ${plural(safely, "finding")}. To fix, use --fix.`] : []),
    ...(unsafely > 0 && !fixed
      ? [`Fixable, but recipients may notice the change: ${plural(unsafely, "finding")}. To fix, use --fix --unsafe.`]
      : []),
  ];
}

const githubLevels = { error: "error", warning: "warning", info: "notice" } as const satisfies Record<Severity, string>;

/** GitHub workflow commands, shown as annotations. GitHub shows only ten of each kind, so the most severe come first. */
export function github({ shown: { diagnostics }, folder }: CheckReport): string {
  const repository = repositoryOf(folder);
  const order = Object.keys(githubLevels);
  return diagnostics
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    .map((group) => annotation(group, repository))
    .join("\n");
}

function annotation({ severity, rule, message, hint, at, templates }: GroupedDiagnostic, repository: string): string {
  const properties = [
    ...(at === undefined ? [] : [`file=${property(relativeTo(repository, at.file))}`]),
    ...(at?.line === undefined ? [] : [`line=${at.line}`]),
    ...(at?.column === undefined ? [] : [`col=${at.column}`]),
    `title=${property(rule)}`,
  ];
  const among = templates.length > 1 ? [`In ${listed(templates)}.`] : [];
  const text = [message, ...(hint === undefined ? [] : [hint]), ...among].join("\n");
  return `::${githubLevels[severity]} ${properties.join(",")}::${data(text)}`;
}

function data(text: string): string {
  return harmless(text).replaceAll("%", "%25").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

type Formatter = (report: CheckReport, style: Output["style"], frames?: boolean) => string;

export const FORMATS = ["pretty", "json", "github", "sarif", "junit"] as const;

/** The output formats of `check`. */
export const formats = {
  pretty,
  json: (report) => JSON.stringify(jsonDocument(report), null, 2),
  github,
  sarif: (report) => JSON.stringify(sarif(report), null, 2),
  junit,
} satisfies Record<(typeof FORMATS)[number], Formatter>;

/** A test suite per template with a test case per finding: errors fail, warnings and notes are output of cases that pass. */
function junit({ shown: { diagnostics }, folder, checked, unchecked }: CheckReport): string {
  const suites = new Map<string, string[]>([...checked, ...unchecked].toSorted().map((name) => [name, []]));
  let failures = 0;
  for (const group of diagnostics) {
    const name = suiteOf(group);
    suites.set(name, [...(suites.get(name) ?? []), caseOf(group, name, folder)]);
    failures += Number(group.severity === "error");
  }
  for (const name of checked) if (suites.get(name)?.length === 0) suites.set(name, [testCase(name, "no findings")]);
  for (const name of unchecked)
    suites.get(name)?.push(testCase(name, "other rules", '<skipped message="It does not compile."/>'));
  const total = [...suites.values()].flat().length;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="templates check" tests="${total}" failures="${failures}">`,
    ...[...suites].map(([name, cases]) => suite(name, cases)),
    "</testsuites>",
  ].join("\n");
}

function suiteOf({ templates: [first, ...others] }: GroupedDiagnostic): string {
  if (first === undefined) return "(project)";
  return others.length === 0 ? first : "(several templates)";
}

function suite(name: string, cases: readonly string[]): string {
  const count = (element: string): number => cases.filter((each) => each.includes(`<${element} `)).length;
  const counts = `tests="${cases.length}" failures="${count("failure")}" errors="0" skipped="${count("skipped")}"`;
  return [`  <testsuite name="${xml(name)}" ${counts}>`, ...cases, "  </testsuite>"].join("\n");
}

function caseOf(
  { rule, severity, message, at, hint, templates }: GroupedDiagnostic,
  suiteName: string,
  folder: string,
) {
  const place = at === undefined ? "" : formatPosition(at, folder);
  const among = templates.length > 1 ? `In ${listed(templates)}.` : "";
  const text = xml([message, place, hint ?? "", among].filter((line) => line !== "").join("\n"));
  const body =
    severity === "error"
      ? `<failure type="${xml(rule)}" message="${xml(message)}">${text}</failure>`
      : `<system-out>${severity === "info" ? "note" : severity}: ${text}</system-out>`;
  return testCase(suiteName, place === "" ? rule : `${rule} ${place}`, body);
}

function testCase(suiteName: string, name: string, body = ""): string {
  const attributes = `classname="${xml(suiteName)}" name="${xml(name)}"`;
  return body === "" ? `    <testcase ${attributes}/>` : `    <testcase ${attributes}>${body}</testcase>`;
}

function xml(text: string): string {
  const named: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&apos;",
    "\n": "&#10;",
  };
  // Replace characters that XML 1.0 does not allow, which would make the whole report invalid.
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd")
    .replace(/[&<>"'\n]/g, (character) => named[character] ?? character);
}

/** The output of `check --json`; its schema is `docs/check-output.schema.json`. */
export function jsonDocument({ folder, diagnostics, shown, checked, unchecked, only, base, fixed }: CheckReport) {
  const notShown = diagnostics.length - shown.diagnostics.length;
  const { error, warning, info } = countSeverities(diagnostics);
  const described = (group: GroupedDiagnostic) => describe(group, folder);
  return {
    version: 1,
    diagnostics: shown.diagnostics.map(described),
    summary: { templates: checked.length, errors: error, warnings: warning, notes: info },
    ...(notShown > 0 && { notShown }),
    unchecked,
    only,
    base,
    fixed: fixed?.map(described),
  };
}

function describe({ rule, severity, message, hint, at, templates, edits }: GroupedDiagnostic, folder: string) {
  return {
    rule,
    severity,
    message,
    hint,
    at: at && { ...at, file: relativeTo(folder, at.file) },
    templates,
    help: rulePage(rule) === undefined ? undefined : `templates check --explain ${rule}`,
    fixable: isFixable({ edits }, { unsafe: false }),
  };
}
