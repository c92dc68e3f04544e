import { readFileSync } from "node:fs";
import path from "node:path";
import { type GroupedDiagnostic, groupDiagnostics } from "./group.js";
import type { Diagnostic, Severity } from "../../diagnostic.js";
import type { Output } from "../output.js";
import { countSeverities, inWords, listed } from "./check-report.js";
import { codeFrame, shownLines } from "./code-frame.js";

export const severityColours = { error: "red", warning: "yellow", info: "cyan" } as const satisfies Record<
  Severity,
  string
>;

/** Findings for a person: by file, each with its place, its source line and what to do. */
export function prettyDiagnostics(diagnostics: readonly Diagnostic[], folder: string, style: Output["style"]): string {
  return prettyGroups(groupDiagnostics(diagnostics), folder, style);
}

export function prettyGroups(groups: readonly GroupedDiagnostic[], folder: string, style: Output["style"]): string {
  const lines = new Map<string, readonly string[] | undefined>();
  const linesOf = (file: string): readonly string[] | undefined => {
    if (!lines.has(file)) lines.set(file, readLines(file));
    return lines.get(file);
  };
  return folded(groups)
    .map(([first, ...others]) => {
      const shown = prettyGroup(first, folder, style, linesOf);
      return others.length === 0 ? shown : `${shown}\n  ${style("dim", elsewhere(others))}`;
    })
    .join("\n\n");
}

/** From how many more on what is said of a file again and again is said once, with all of its places. */
const FOLDED = 2;

/** What says the same of one file together, where the first of it stands; else in its order. */
function folded(groups: readonly GroupedDiagnostic[]): [GroupedDiagnostic, ...GroupedDiagnostic[]][] {
  const alike = new Map<string, GroupedDiagnostic[]>();
  for (const group of groups) {
    const { severity, rule, message, hint, at, templates } = group;
    const key = JSON.stringify([severity, rule, message, hint, at?.file, templates]);
    const known = alike.get(key);
    if (known) known.push(group);
    else alike.set(key, [group]);
  }
  const first = new Map<GroupedDiagnostic, readonly GroupedDiagnostic[]>();
  const others = new Set<GroupedDiagnostic>();
  for (const [one, ...rest] of alike.values()) {
    if (!one || one.at?.line === undefined || rest.length < FOLDED) continue;
    first.set(one, rest);
    for (const other of rest) others.add(other);
  }
  return groups.filter((group) => !others.has(group)).map((group) => [group, ...(first.get(group) ?? [])]);
}

/** `The same 2 times more, on lines 14, 20.` */
function elsewhere(others: readonly GroupedDiagnostic[]): string {
  const lines = [...new Set(others.map(({ at }) => at?.line))];
  return `The same ${others.length} times more, on ${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}.`;
}

function prettyGroup(
  { severity, rule, message, at, hint, templates }: GroupedDiagnostic,
  folder: string,
  style: Output["style"],
  linesOf: (file: string) => readonly string[] | undefined,
): string {
  const names = listed(templates, "template");
  const place = at === undefined ? names : placeOf(at, folder);
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

export function placeOf(at: NonNullable<Diagnostic["at"]>, folder: string): string {
  const relative = path.relative(folder, at.file);
  const file = relative.startsWith("..") ? at.file : relative;
  return [file, at.line, at.column].filter((part) => part !== undefined).join(":");
}

function readLines(file: string): readonly string[] | undefined {
  try {
    return shownLines(
      readFileSync(file, "utf8")
        .replace(/^\uFEFF/, "")
        .replaceAll(/\r\n?/g, "\n"),
    );
  } catch {
    // The finding is what matters; a file that cannot be read again only loses its frame.
    return undefined;
  }
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** "2 errors, 1 warning", or undefined where there is nothing. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string | undefined {
  return inWords(countSeverities(groupDiagnostics(diagnostics)));
}
