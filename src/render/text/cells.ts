import { TOKEN } from "../../mustache/tokens.js";
import { Gap, hasText, type Piece } from "./pieces.js";

export interface Cell {
  readonly isHeading: boolean;
  /** How many it takes. */
  readonly columns: number;
  /** Whether it has a title in it, as a part of a page has. */
  readonly hasTitle: boolean;
  readonly pieces: readonly Piece[];
}

/** Characters and lines: longer cells are parts of a page. */
const LONGEST_CELL = 80;
const MOST_LINES = 3;

/** Text that is the same however it is filled; undefined where there are tags. */
export function staticText(pieces: readonly Piece[]): string | undefined {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "text" && piece.text.search(TOKEN) < 0) text += piece.text;
    else if (piece.kind === "gap") text += " ";
    else return undefined;
  }
  return text;
}

/** In characters; what a tag prints is not known. */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === "text" ? piece.text.replace(TOKEN, "variable").length : 0),
    0,
  );
}

/** How many lines there are, at the least. */
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

/** Whether a cell of several lines is no cell of data. */
export function isPage({ hasTitle, pieces }: Cell): boolean {
  return hasTitle || lengthOf(pieces) > LONGEST_CELL || lineCount(pieces) > MOST_LINES;
}

/** Whether a cell has nothing but pictures that are links. */
export function isPicture(pieces: readonly Piece[]): boolean {
  return hasText(pieces) && !pieces.some(({ kind }) => kind === "text");
}

/** Whether a cell is one link as a whole. */
export function isLink(pieces: readonly Piece[]): boolean {
  const first = pieces.find(({ kind }) => kind !== "gap" && kind !== "opens");
  const last = pieces.findLast(({ kind }) => kind !== "gap" && kind !== "closes");
  return first?.kind === "label" && last?.kind === "address";
}

export function hasRule(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => piece.kind === "text" && piece.isRule);
}
