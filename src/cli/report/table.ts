import stringWidth from "string-width";

/**
 * Aligns rows into columns. The first row contains the headings.
 *
 * @example
 * table([["NAME", "STATE"], ["receipt", "unchanged"]]);
 * // NAME     STATE
 * // receipt  unchanged
 */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - stringWidth(cell)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
