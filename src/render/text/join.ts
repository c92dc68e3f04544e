import { Gap, type Piece } from "./pieces.js";

interface Section {
  /** Whether something always precedes it on the line. */
  readonly isPreceded: boolean;
  readonly isOwed: boolean;
  /** The number of pieces at its beginning. */
  readonly start: number;
  beginsApart: boolean;
}

/**
 * Joins lines to one line. A separator goes into the section of what it separates, so that none is left if the section is
 * not shown.
 *
 * @param separator The text between a line that ends with this text and the next line.
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
        // If nothing follows, no space must be left at the end of the line.
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

/** Joins the lines of a cell: `Tea, 2 × €2`. */
export function linesJoined(pieces: readonly Piece[]): Piece[] {
  return joined(pieces, (before) => (/[,:;.!?]$/.test(before) ? " " : ", "));
}
