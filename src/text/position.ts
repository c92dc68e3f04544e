/** A line and column in a string, both starting at 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts an offset to a line and column. */
export function positionAt(text: string, offset: number): Position {
  return positionsIn(text)(offset);
}

/** `positionAt` for many offsets in one text. */
export function positionsIn(text: string): (offset: number) => Position {
  const lineStarts = [0];
  for (let index = text.indexOf("\n"); index >= 0; index = text.indexOf("\n", index + 1)) lineStarts.push(index + 1);

  return (offset) => {
    let line = 0;
    let past = lineStarts.length;
    while (past - line > 1) {
      const middle = (line + past) >> 1;
      if ((lineStarts[middle] ?? 0) <= offset) line = middle;
      else past = middle;
    }
    return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
  };
}

/** Converts a line and column to an offset; undefined if the text has no such line. */
export function offsetAt(text: string, { line, column }: Position): number | undefined {
  let start = 0;
  for (let number = 1; number < line; number += 1) {
    start = text.indexOf("\n", start) + 1;
    if (start === 0) return undefined;
  }
  return start + column - 1;
}
