import { TOKEN } from "../../mustache/tokens.js";
import { Gap, hasText, type Piece } from "./pieces.js";

export interface Cell {
  readonly isHeading: boolean;
  /** The number of columns it spans. */
  readonly columns: number;
  /** Whether it contains a heading, like a section of a page. */
  readonly hasTitle: boolean;
  readonly pieces: readonly Piece[];
}

/** In characters and lines: longer cells are parts of the layout. */
const LONGEST_CELL = 80;
const MOST_LINES = 3;

/** Text that doesn't depend on variables; undefined if there are tags. */
export function staticText(pieces: readonly Piece[]): string | undefined {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "text" && piece.text.search(TOKEN) < 0) text += piece.text;
    else if (piece.kind === "gap") text += " ";
    else return undefined;
  }
  return text;
}

/** In characters; the length of what a tag prints is estimated. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === "text" ? piece.text.replace(TOKEN, "variable").length : 0),
    0,
  );
}

/** The minimum number of lines. */
export function lineCount(pieces: readonly Piece[]): number {
  let count = 0;
  let isInLine = false;
  let isRepeated = false;
  for (const piece of pieces) {
    if (piece.kind === "gap" && piece.size >= Gap.line) isInLine = false;
    if (piece.kind === "text" || piece.kind === "address") {
      if (!isInLine) count += 1;
      isInLine = true;
    }
    if (piece.kind === "closes" && !isInLine) isRepeated = true;
  }
  return count + (isRepeated ? 1 : 0);
}

/** Whether a cell is part of the layout rather than data. */
export function isPage({ hasTitle, pieces }: Cell): boolean {
  return hasTitle || lengthOf(pieces) > LONGEST_CELL || lineCount(pieces) > MOST_LINES;
}

/** Whether a cell contains only images with links. */
export function isPicture(pieces: readonly Piece[]): boolean {
  return hasText(pieces) && !pieces.some(({ kind }) => kind === "text");
}

/** Whether the whole cell is one link. */
export function isLink(pieces: readonly Piece[]): boolean {
  const first = pieces.find(({ kind }) => kind !== "gap" && kind !== "opens");
  const last = pieces.findLast(({ kind }) => kind !== "gap" && kind !== "closes");
  return first?.kind === "label" && last?.kind === "address";
}

export function hasRule(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => piece.kind === "text" && piece.isRule);
}
