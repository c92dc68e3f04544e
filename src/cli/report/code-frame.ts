import { maskSecrets } from "../../check/secrets.js";
import { inert } from "../harmless.js";

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
    rows.push(`${number === line ? ">" : " "} ${String(number).padStart(gutter)} | ${inert(content)}`.trimEnd());
    if (number === line && column !== undefined) {
      const before = content.slice(0, Math.max(0, column - 1 - shift)).padEnd(column - 1 - shift);
      rows.push(`  ${" ".repeat(gutter)} | ${" ".repeat(inert(before).length)}^`);
    }
  }
  return rows.join("\n");
}
