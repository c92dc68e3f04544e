import { Gap, type Piece } from "./pieces.js";

interface Section {
  /** Whether something is sure to be on the line before it. */
  readonly isPreceded: boolean;
  readonly isOwed: boolean;
  /** How many pieces there were at its beginning. */
  readonly start: number;
  beginsApart: boolean;
}

/**
 * Puts lines on one line. A separator goes into the section of what it separates, so that none is left where a section
 * is not shown.
 *
 * @param separator What is between a line that ends with this text and the next one.
 */
export function joined(pieces: readonly Piece[], separator: (before: string) => string): Piece[] {
  const output: Piece[] = [];
  const open: Section[] = [];
  let isPreceded = false;
  let isOwed = false;
  let before = "";
  const write = (text: string) => output.push({ kind: "text", text, prefix: "" });
  for (const piece of pieces) {
    if (piece.kind === "gap" && piece.size >= Gap.line) {
      isOwed = before !== "";
      continue;
    }
    if (piece.kind === "text" || piece.kind === "address") {
      if (isOwed && isPreceded) {
        write(separator(before));
        for (const section of open) section.beginsApart ||= true;
      }
      if (piece.kind === "text") before = piece.text;
      isOwed = false;
      isPreceded = true;
    } else if (piece.kind === "opens") {
      open.push({ isPreceded, isOwed, start: output.length, beginsApart: false });
    } else if (piece.kind === "closes") {
      const section = open.pop();
      const hasText = output.slice(section?.start ?? 0).some(({ kind }) => kind === "text");
      if (section && isOwed && hasText && !section.beginsApart) {
        // Nothing may follow: then the space is not left at the end of the line.
        const mark = separator(before).trim();
        if (mark !== "") write(mark);
        output.push({ kind: "gap", size: Gap.space });
        isOwed = false;
      }
      isOwed ||= section?.isOwed ?? false;
      isPreceded = section?.isPreceded ?? isPreceded;
    }
    output.push(piece);
  }
  return output;
}

/** The lines of a cell: `Tea, 2 × €2`. */
export function linesJoined(pieces: readonly Piece[]): Piece[] {
  return joined(pieces, (before) => (/[,:;.!?]$/.test(before) ? " " : ", "));
}
