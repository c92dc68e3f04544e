import path from "node:path";
import type { Diagnostic } from "../../diagnostic.js";
import { countDiagnostics, placeOf, prettyDiagnostics } from "./diagnostics.js";
import type { Output } from "../output.js";

export interface FormatContext {
  readonly folder: string;
  readonly style: Output["style"];
  /** How many templates were checked. */
  readonly checked: number;
}

type Formatter = (diagnostics: readonly Diagnostic[], context: FormatContext) => string;

/** The ways in which `check` prints its findings. */
export const formats = { pretty, json, github, sarif, junit } satisfies Record<string, Formatter>;

export function isFormat(name: string): name is keyof typeof formats {
  return Object.hasOwn(formats, name);
}

function pretty(diagnostics: readonly Diagnostic[], { folder, style, checked }: FormatContext): string {
  const count = countDiagnostics(diagnostics);
  const summary = `${checked} template${checked === 1 ? "" : "s"} checked: ${count ?? "nothing found"}.`;
  return count === undefined ? summary : `${prettyDiagnostics(diagnostics, folder, style)}\n\n${summary}`;
}

function json(diagnostics: readonly Diagnostic[]): string {
  return JSON.stringify({ diagnostics }, null, 2);
}

/** Workflow commands, which GitHub shows as annotations at the line. */
function github(diagnostics: readonly Diagnostic[], { folder }: FormatContext): string {
  const levels = { error: "error", warning: "warning", info: "notice" } as const;
  return diagnostics
    .map(({ severity, rule, message, hint, at }) => {
      const place =
        at === undefined
          ? []
          : [
              `file=${property(relative(at.file, folder))}`,
              ...(at.line === undefined ? [] : [`line=${at.line}`]),
              ...(at.column === undefined ? [] : [`col=${at.column}`]),
            ];
      const text = hint === undefined ? message : `${message}\n${hint}`;
      return `::${levels[severity]} ${[...place, `title=${property(rule)}`].join(",")}::${data(text)}`;
    })
    .join("\n");
}

function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** SARIF 2.1.0, as code scanning services take it. */
function sarif(diagnostics: readonly Diagnostic[], { folder }: FormatContext): string {
  const levels = { error: "error", warning: "warning", info: "note" } as const;
  const rules = [...new Set(diagnostics.map(({ rule }) => rule))].toSorted();
  const results = diagnostics.map(({ rule, severity, message, hint, at }) => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: levels[severity],
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    ...(at === undefined
      ? {}
      : {
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(relative(at.file, folder)) },
                ...(at.line === undefined
                  ? {}
                  : { region: { startLine: at.line, ...(at.column === undefined ? {} : { startColumn: at.column }) } }),
              },
            },
          ],
        }),
  }));
  const driver = { name: "lettershop", rules: rules.map((id) => ({ id })) };
  return JSON.stringify(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [{ tool: { driver }, results }],
    },
    null,
    2,
  );
}

/** One test case a finding; errors fail, the rest is told in the output of a case that passes. */
function junit(diagnostics: readonly Diagnostic[], { folder, checked }: FormatContext): string {
  const failures = diagnostics.filter(({ severity }) => severity === "error").length;
  const cases = diagnostics.map((diagnostic) => {
    const place = diagnostic.at === undefined ? "" : placeOf(diagnostic.at, folder);
    const text = xml([diagnostic.message, place, diagnostic.hint ?? ""].filter((line) => line !== "").join("\n"));
    const body =
      diagnostic.severity === "error"
        ? `<failure message="${xml(diagnostic.message)}">${text}</failure>`
        : `<system-out>${text}</system-out>`;
    return `    <testcase classname="${xml(diagnostic.template ?? "project")}" name="${xml(place === "" ? diagnostic.rule : `${diagnostic.rule} ${place}`)}">${body}</testcase>`;
  });
  if (cases.length === 0) cases.push(`    <testcase classname="project" name="${checked} templates checked"/>`);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    "<testsuites>",
    `  <testsuite name="templates check" tests="${cases.length}" failures="${failures}">`,
    ...cases,
    "  </testsuite>",
    "</testsuites>",
  ].join("\n");
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
  // Characters that XML 1.0 cannot hold at all would make the whole report unreadable.
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"'\n]/g, (character) => named[character] ?? character);
}

function relative(file: string, folder: string): string {
  return path.relative(folder, file).replaceAll(path.sep, "/");
}
