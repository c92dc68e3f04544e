import type { Part } from "../../../sync/diff/words.js";
import { widthOf } from "./visible.js";

/** Texts as rows that are no wider than the terminal, each behind the indentation. */
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

/** So far back a row ends at a space instead of within a word. */
const BACK_MAX = 20;

/** A line's parts as rows of at most so many columns; the last one ends in `…` where more rows would be needed. */
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
        if (rows.length === rowsMax) return ended(rows);
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

/** Says that there is more. */
function ended(rows: readonly Part[][]): Part[][] {
  return rows.map((row, index) => {
    const last = row.at(-1);
    if (index < rows.length - 1 || last === undefined) return row;
    return [...row.slice(0, -1), { ...last, text: `${last.text.replace(/.$/su, "")}…` }];
  });
}
