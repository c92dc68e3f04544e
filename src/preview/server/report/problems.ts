import path from "node:path";
import type { Diagnostic, SourcePosition } from "../../../diagnostic.js";
import { statsOf } from "../../../project/candidates.js";
import type { FrameLine, Problem } from "../../contract.js";

export interface ProblemOptions {
  /** The project's folder, absolute. */
  readonly folder: string;
  /** The text of a source with normalised line ends. Undefined for files that users do not edit. */
  readonly read: (file: string) => string | undefined;
  /** The number of the element at a source position. */
  readonly placeAt?: (position: SourcePosition) => number | undefined;
}

/** Findings as the page shows them, with the lines around them. */
export function problemsOf(diagnostics: readonly Diagnostic[], { folder, read, placeAt }: ProblemOptions): Problem[] {
  const shownPath = pathsRelativeTo(folder);
  const withShownPaths = (words: string) => words.replaceAll(`${folder}${path.sep}`, "");
  const lines = new Map<string, readonly string[] | undefined>();
  const linesOf = (file: string) => {
    if (!lines.has(file)) lines.set(file, read(file)?.split("\n"));
    return lines.get(file);
  };
  return diagnostics.map(({ rule, severity, message, hint, template, at }): Problem => {
    const frame = at?.line === undefined ? undefined : frameOf(linesOf(at.file), at.line, at.column);
    const place = at && placeAt?.(at);
    return {
      rule,
      severity,
      message: withShownPaths(message),
      page: `${rule}.md`,
      ...(hint !== undefined && { hint: withShownPaths(hint) }),
      ...(template !== undefined && { template }),
      ...(at && { at: { ...at, file: shownPath(at.file), ...(isNoFile(at) && { isNoFile: true }) } }),
      ...(frame && { frame }),
      ...(place !== undefined && { place }),
    };
  });
}

function isNoFile({ file, line }: SourcePosition): boolean {
  return line === undefined && !statsOf(file)?.isFile();
}

const AROUND = 2;
/** Longer lines, such as minified HTML, are cut around the column. */
const WIDEST = 240;

function frameOf(lines: readonly string[] | undefined, line: number, column = 1): FrameLine[] | undefined {
  if (!lines || line < 1 || line > lines.length) return undefined;
  const first = Math.max(1, line - AROUND);
  const from = column > WIDEST - 40 ? column - WIDEST / 2 : 0;
  return lines.slice(first - 1, line + AROUND).map((text, index) => ({
    line: first + index,
    text: text.length > WIDEST ? cut(text, from) : text,
    isAt: first + index === line,
  }));
}

function cut(text: string, from: number): string {
  return `${from > 0 ? "…" : ""}${text.slice(from, from + WIDEST)}${from + WIDEST < text.length ? "…" : ""}`;
}

/** A file's path as the page shows it. */
export type ShownPath = (file: string) => string;

/** Paths relative to a folder, with `/` on every system. */
export function pathsRelativeTo(folder: string): ShownPath {
  const known = new Map<string, string>();
  return (file) => {
    const shown = known.get(file) ?? path.relative(folder, file).replaceAll(path.sep, "/");
    known.set(file, shown);
    return shown;
  };
}
