import path from "node:path";
import { readFileSync } from "node:fs";
import { memoizeByString } from "../../cache/memoize.js";
import { attempt } from "../../files.js";
import { causesOf, groupDiagnostics, type GroupedDiagnostic } from "./group.js";
import type { Diagnostic, Severity } from "../../diagnostic.js";
import { escapeInline, type Output } from "../output.js";
import { countSeverities, formatCounts, listed, plural } from "./check-report.js";
import { maskSecrets } from "../../check/rules/safety/secret-in-template.js";

export const severityColours = { error: "red", warning: "yellow", info: "cyan" } as const satisfies Record<
  Severity,
  string
>;

/** Formats diagnostics for the terminal: each with its position, source line and hint. */
export function prettyDiagnostics(diagnostics: readonly Diagnostic[], folder: string, style: Output["style"]): string {
  return prettyGroups(groupDiagnostics(diagnostics), folder, style);
}

export function prettyGroups(groups: readonly GroupedDiagnostic[], folder: string, style: Output["style"]): string {
  const linesOf = memoizeByString(Infinity, readLines);
  return causesOf(groups)
    .map(([first, ...others]) => {
      const shown = prettyGroup(first, folder, style, linesOf);
      return others.length === 0 ? shown : `${shown}\n  ${style("dim", elsewhere(first, others, folder))}`;
    })
    .join("\n\n");
}

/** `3 more occurrences: lines 14, 20, a.html:3:1.` */
function elsewhere(first: GroupedDiagnostic, others: readonly GroupedDiagnostic[], folder: string): string {
  const [inFile, inOtherFiles] = [true, false].map((isHere) =>
    others.filter(({ at }) => (at?.line !== undefined && at.file === first.at?.file) === isHere),
  );
  const lines = [...new Set(inFile?.map(({ at }) => at?.line))];
  const places = inOtherFiles?.map(({ at, templates }) =>
    at === undefined ? templates.join(", ") : formatPosition(at, folder),
  );
  const all = [
    ...(lines.length > 0 ? [`${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`] : []),
    ...(places ?? []),
  ];
  return `${plural(others.length, "more occurrence")}: ${all.join(", ")}.`;
}

function prettyGroup(
  { severity, rule, message, at, hint, templates }: GroupedDiagnostic,
  folder: string,
  style: Output["style"],
  linesOf: (file: string) => readonly string[] | undefined,
): string {
  const names = listed(templates);
  const place = at === undefined ? names : formatPosition(at, folder);
  const lines = [`${style(severityColours[severity], severity)} ${message} ${style("dim", rule)}`];
  if (place !== "") {
    const among = at !== undefined && templates.length > 1 ? ` in ${names}` : "";
    lines.push(`  ${style("cyan", place)}${among}`);
  }
  const source = at?.line === undefined ? undefined : linesOf(at.file);
  const frame = at?.line === undefined || source === undefined ? undefined : codeFrame(source, at.line, at.column);
  if (frame !== undefined) lines.push(style("dim", indent(frame)));
  if (hint !== undefined) lines.push(indent(hint));
  return lines.join("\n");
}

export function formatPosition(at: NonNullable<Diagnostic["at"]>, folder: string): string {
  const relative = path.relative(folder, at.file);
  const file = relative.startsWith("..") ? at.file : relative;
  return [file, at.line, at.column].filter((part) => part !== undefined).join(":");
}

/** Undefined without the file: then only the code frame is missing. */
function readLines(file: string): readonly string[] | undefined {
  const text = attempt(() => readFileSync(file, "utf8"));
  return text === undefined ? undefined : shownLines(text.replace(/^\uFEFF/, "").replaceAll(/\r\n?/g, "\n"));
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** "2 errors, 1 warning"; undefined if there are none. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string | undefined {
  return formatCounts(countSeverities(groupDiagnostics(diagnostics)));
}

/** Maximum line length; longer lines, such as minified HTML, are cut around the column. */
const widest = 110;

/** Splits a file's text into lines to show, with secrets masked. */
export function shownLines(text: string): readonly string[] {
  return maskSecrets(text).split(/\r?\n/);
}

/**
 * Renders the lines around a position, with a marker under the column.
 *
 * @example
 * codeFrame(shownLines("a\n<b>\nc"), 2, 1);
 * //   1 | a
 * // > 2 | <b>
 * //     | ^
 * //   3 | c
 */
export function codeFrame(lines: readonly string[], line: number, column?: number): string | undefined {
  if (line < 1 || line > lines.length) return undefined;
  const from = Math.max(1, line - 1);
  const to = Math.min(lines.length, line + 1);
  const gutter = String(to).length;
  const shift = column === undefined || column <= widest - 10 ? 0 : column - Math.floor(widest / 2);
  const rows: string[] = [];
  for (let number = from; number <= to; number += 1) {
    const content = (lines[number - 1] ?? "").replaceAll("\t", " ").slice(shift, shift + widest);
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${escapeInline(content)}`.trimEnd());
    if (number === line && column !== undefined) {
      const before = content.slice(0, Math.max(0, column - 1 - shift)).padEnd(column - 1 - shift);
      rows.push(`  ${" ".repeat(gutter)} | ${" ".repeat(escapeInline(before).length)}^`);
    }
  }
  return rows.join("\n");
}
