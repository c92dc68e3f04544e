import type { GroupedDiagnostic } from "./group.js";
import { type CheckReport, listed } from "./check-report.js";
import { placeOf } from "./diagnostics.js";

/** A test suite per template with a test case per finding: errors fail, warnings and notes are output of cases that pass. */
export function junit({ shown: { diagnostics }, folder, checked, unchecked }: CheckReport): string {
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
  const place = at === undefined ? "" : placeOf(at, folder);
  const among = templates.length > 1 ? `In ${listed(templates, "template")}.` : "";
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
