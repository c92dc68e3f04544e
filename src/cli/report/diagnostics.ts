import { readFileSync } from "node:fs";
import path from "node:path";
import { codeFrame } from "./code-frame.js";
import type { Diagnostic, Severity } from "../../diagnostic.js";
import type { Output } from "../output.js";

const colours = { error: "red", warning: "yellow", info: "cyan" } as const satisfies Record<Severity, string>;

/** Findings for a person: grouped by template, each with its place, its source line and what to do. */
export function prettyDiagnostics(diagnostics: readonly Diagnostic[], folder: string, style: Output["style"]): string {
  return diagnostics.map((diagnostic) => prettyDiagnostic(diagnostic, folder, style)).join("\n\n");
}

function prettyDiagnostic(
  { severity, rule, message, at, hint, template }: Diagnostic,
  folder: string,
  style: Output["style"],
): string {
  const place = at === undefined ? (template ?? "") : placeOf(at, folder);
  const lines = [`${style(colours[severity], severity)} ${message} ${style("dim", rule)}`];
  if (place !== "") lines.push(`  ${style("cyan", place)}`);
  const frame = at?.line === undefined ? undefined : frameOf(at.file, at.line, at.column);
  if (frame !== undefined) lines.push(style("dim", indent(frame)));
  if (hint !== undefined) lines.push(indent(hint));
  return lines.join("\n");
}

export function placeOf(at: NonNullable<Diagnostic["at"]>, folder: string): string {
  const relative = path.relative(folder, at.file);
  const file = relative.startsWith("..") ? at.file : relative;
  return [file, at.line, at.column].filter((part) => part !== undefined).join(":");
}

function frameOf(file: string, line: number, column: number | undefined): string | undefined {
  try {
    return codeFrame(readFileSync(file, "utf8"), line, column);
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
  const parts = (["error", "warning", "info"] as const).flatMap((severity) => {
    const count = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    const noun = severity === "info" ? "note" : severity;
    return count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  });
  return parts.length === 0 ? undefined : parts.join(", ");
}
