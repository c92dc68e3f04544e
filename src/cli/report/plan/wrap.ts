import type { Part } from "../../../sync/diff/compare-words.js";
import { widthOf } from "./visible.js";

/** Wraps words into indented rows that fit the terminal. */
export function wrapWords(
  words: readonly string[],
  { indent, columns }: { readonly indent: string; readonly columns: number },
): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of words) {
    const joined = row === "" ? word : `${row} ${word}`;
    if (row !== "" && widthOf(indent) + widthOf(joined) > columns) {
      rows.push(indent + row);
      row = word;
    } else row = joined;
  }
  return row === "" ? rows : [...rows, indent + row];
}

/** Maximum number of characters to move to the next row to break at a space. */
const BACK_MAX = 20;

/** Wraps a line's parts into at most `rowsMax` rows of this many columns; the last row ends with `…` if the line is cut. */
export function wrapParts(parts: readonly Part[], columns: number, rowsMax: number): Part[][] {
  const rows: Part[][] = [];
  let row: Part[] = [];
  let left = columns;
  for (const { text, differs } of parts) {
    let piece = "";
    for (const character of text) {
      if (widthOf(character) > left) {
        const space = piece.lastIndexOf(" ") + 1;
        const end = space > 0 && piece.length - space < BACK_MAX && rows.length + 1 < rowsMax ? space : piece.length;
        rows.push([...row, { text: piece.slice(0, end), differs }]);
        if (rows.length === rowsMax) return withEllipsis(rows);
        row = [];
        piece = piece.slice(end);
        left = columns - widthOf(piece);
      }
      piece += character;
      left -= widthOf(character);
    }
    row.push({ text: piece, differs });
  }
  return [...rows, row];
}

/** Replaces the last character with an ellipsis. */
function withEllipsis(rows: readonly Part[][]): Part[][] {
  return rows.map((row, index) => {
    const last = row.at(-1);
    if (index < rows.length - 1 || last === undefined) return row;
    return [...row.slice(0, -1), { ...last, text: `${last.text.replace(/.$/su, "")}…` }];
  });
}
