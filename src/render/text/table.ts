import { Gap, hasText, type Piece } from "./pieces.js";
import { TOKEN } from "../../mustache/tokens.js";

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
function staticText(pieces: readonly Piece[]): string | undefined {
  let text = "";
  for (const piece of pieces) {
    if (piece.kind === "text" && piece.text.search(TOKEN) < 0) text += piece.text;
    else if (piece.kind === "gap") text += " ";
    else return undefined;
  }
  return text;
}

/** In characters; the length of what a tag prints is estimated. */
function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce(
    (sum, piece) => sum + (piece.kind === "text" ? piece.text.replace(TOKEN, "variable").length : 0),
    0,
  );
}

/** The minimum number of lines. */
function lineCount(pieces: readonly Piece[]): number {
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
function isPage({ hasTitle, pieces }: Cell): boolean {
  return hasTitle || lengthOf(pieces) > LONGEST_CELL || lineCount(pieces) > MOST_LINES;
}

/** Whether a cell contains only images with links. */
function isPicture(pieces: readonly Piece[]): boolean {
  return hasText(pieces) && !pieces.some(({ kind }) => kind === "text");
}

/** Whether the whole cell is one link. */
function isLink(pieces: readonly Piece[]): boolean {
  const first = pieces.find(({ kind }) => kind !== "gap" && kind !== "opens");
  const last = pieces.findLast(({ kind }) => kind !== "gap" && kind !== "closes");
  return first?.kind === "label" && last?.kind === "address";
}

function hasRule(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => piece.kind === "text" && piece.isRule);
}

/** A row: its cells, and the section tags between them. */
export type TextTableRow = readonly (Cell | Piece)[];

const BETWEEN_CELLS = "  ";
const INDENTATION = "  ";
/** In characters: longer rows are paragraphs next to each other. */
const LONGEST_ROW = 120;
/** In characters: shorter cells are labels and values, or list marks. */
const SHORT_CELL = 24;
const LONGEST_MARK = 3;
/** In characters: longer labels would push the other cells too far. */
const WIDEST_COLUMN = 32;

/** Prints a table's rows. */
export function printTable(rows: readonly (TextTableRow | Piece)[]): Piece[] {
  const parts = rows.map((row) => (isRow(row) ? new TableRow(row) : row));
  const tableRows = parts.filter((part) => part instanceof TableRow);
  const data = tableRows.filter((row) => row.isData);
  const widths = columnWidths(data);
  return parts.flatMap((part): Piece[] => {
    if (!(part instanceof TableRow)) return [part];
    const gap: Piece = { kind: "gap", size: data.length > 0 && part.isShort ? Gap.line : Gap.blankLine };
    const row = part.isData ? part.onOneLine(widths) : part.asBlocks();
    const isAlone = part.isData && part.isShort && tableRows.length === 1;
    return isAlone ? [gap, { kind: "row-starts" }, ...row, { kind: "row-ends" }, gap] : [gap, ...row, gap];
  });
}

function isRow(part: TextTableRow | Piece): part is TextTableRow {
  return Array.isArray(part);
}

function isCell(part: Cell | Piece): part is Cell {
  return "pieces" in part;
}

class TableRow {
  /** Whether the cells belong on one line, `Tea  2  €4`; other rows only form the layout. */
  readonly isData: boolean;
  /** The cells of a data row that contains nothing but cells. */
  readonly cells: readonly PlacedCell[];
  /** Whether it always fits on one line. */
  readonly isShort: boolean;
  readonly #parts: TextTableRow;
  readonly #cells: readonly Cell[];

  constructor(parts: TextTableRow) {
    this.#parts = parts;
    this.#cells = parts.filter(isCell);
    const filled = this.#cells.filter(({ pieces }) => hasText(pieces));
    const several = filled.filter(({ pieces }) => lineCount(pieces) > 1);
    const lengths = filled.map(({ pieces }) => lengthOf(pieces));
    const isMarked = filled.length === 2 && several.length === 0 && Math.min(...lengths) <= LONGEST_MARK;
    const isLong = lengths.reduce((sum, length) => sum + length, 0) > LONGEST_ROW || Math.min(...lengths) > SHORT_CELL;
    const isStep = this.#number !== undefined;
    const arePages =
      several.length > 1 || several.some((cell) => isPage(cell)) || (filled.length > 1 && isLong && !isMarked);
    const links = filled.filter(({ pieces }) => isLink(pieces));
    const areLinks = links.length === filled.length || (links.length > 0 && several.length > 0);
    const isOnOneLine = filled.length > 1 || (filled.length === 1 && this.#cells.length < parts.length);
    const areDrawn = filled.some(({ pieces }) => isPicture(pieces) || hasRule(pieces));
    this.isData = isStep || (isOnOneLine && !arePages && !areLinks && !areDrawn);
    const isRegular = this.#cells.length === parts.length;
    this.cells = this.isData && isRegular ? placed(this.#cells) : [];
    const hasParagraphs = isStep && filled.some(({ pieces }) => pieces.some(isBlankLine));
    this.isShort = (this.isData && !hasParagraphs) || (filled.length === 1 && several.length === 0);
  }

  get #hasLabel(): boolean {
    const [first, ...others] = this.#cells;
    const isWhole = this.#cells.length === this.#parts.length && hasText(first?.pieces ?? []);
    return isWhole && others.length === 1 && first?.isHeading === true && !others[0]?.isHeading;
  }

  /** The number next to a text, as in a list of steps. */
  get #number(): string | undefined {
    const [first, ...others] = this.#cells;
    const text = staticText(first?.pieces ?? [])?.trim() ?? "";
    const isAlone = others.filter(({ pieces }) => hasText(pieces)).length === 1;
    return isAlone && others.length === this.#parts.length - 1 && /^\d+[.)]?$/.test(text) ? text : undefined;
  }

  onOneLine(widths: readonly number[]): Piece[] {
    if (this.#hasLabel) return this.#labelled();
    if (this.#number !== undefined) return this.#numbered(this.#number);
    if (this.cells.length === 0) {
      const line = this.#parts.flatMap((part): Piece[] => {
        return isCell(part) ? [LINE, ...linesJoined(part.pieces), LINE] : [part];
      });
      return joined(line, () => BETWEEN_CELLS);
    }
    const last = this.cells.findLastIndex(({ line }) => hasText(line));
    return this.cells.flatMap(({ line, text, first, columns }, index): Piece[] => {
      const width = widthOf(widths.slice(first, first + columns));
      if (index >= last || (!width && !hasText(line))) return [...line];
      const padding = " ".repeat(Math.max(0, width - (text?.length ?? width)));
      return [...line, { kind: "text", text: padding + BETWEEN_CELLS, prefix: "" }];
    });
  }

  asBlocks(): Piece[] {
    return this.#parts.flatMap((part): Piece[] => {
      if (!isCell(part)) return [part];
      const isShort = lineCount(part.pieces) <= 1 && (isLink(part.pieces) || lengthOf(part.pieces) <= SHORT_CELL);
      const gap: Piece = { kind: "gap", size: isShort ? Gap.line : Gap.blankLine };
      return [gap, ...part.pieces, gap];
    });
  }

  /** Formatted like a list item. */
  #numbered(number: string): Piece[] {
    const mark = /\d$/.test(number) ? `${number}. ` : `${number} `;
    const [first, ...others] = this.#cells;
    const prefix = first?.pieces.find((piece) => piece.kind === "text")?.prefix ?? "";
    const text = others.flatMap(({ pieces }) => pieces.map((piece) => indented(piece, " ".repeat(mark.length))));
    return [{ kind: "text", text: mark, prefix }, ...text];
  }

  /** `Paid with: Visa`; a value of several lines is below its label. */
  #labelled(): Piece[] {
    const [label, value] = this.#cells.map(({ pieces }) => linesJoined(pieces));
    const written = this.#cells[1]?.pieces ?? [];
    const isBelow = lineCount(written) > 1 && (lineCount(written) > 2 || written.some(({ kind }) => kind === "opens"));
    const colon = staticText(label?.slice(-1) ?? [])?.endsWith(":") ? "" : ":";
    return [
      ...(label ?? []),
      { kind: "text", text: isBelow ? colon : `${colon} `, prefix: "" },
      ...(isBelow ? [LINE, ...written.map((piece) => indented(piece, INDENTATION))] : (value ?? [])),
    ];
  }
}

const LINE: Piece = { kind: "gap", size: Gap.line };

function isBlankLine(piece: Piece): boolean {
  return piece.kind === "gap" && piece.size === Gap.blankLine;
}

function indented(piece: Piece, indentation: string): Piece {
  return "prefix" in piece ? { ...piece, prefix: piece.prefix + indentation } : piece;
}

/** A data cell on its line. */
interface PlacedCell {
  readonly line: readonly Piece[];
  /** Undefined if it depends on variables. */
  readonly text: string | undefined;
  /** The index of its first column. */
  readonly first: number;
  readonly columns: number;
}

function placed(cells: readonly Cell[]): PlacedCell[] {
  let next = 0;
  return cells.map(({ pieces, columns }) => {
    const first = next;
    next += columns;
    const line = linesJoined(pieces);
    return { line, text: staticText(line), first, columns };
  });
}

/** The width of adjacent columns; unknown widths count as 0. */
function widthOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, Math.max(0, widths.length - 1) * BETWEEN_CELLS.length);
}

/** The width of each column, up to the first that is unknown in some row. */
function columnWidths(rows: readonly TableRow[]): number[] {
  const widths: number[] = [];
  const all = rows.map(({ cells }) => cells).filter((cells) => cells.length > 0);
  if (all.length < rows.length) return widths;
  // The last cell of a row may have any width.
  const cells = all.flatMap((row) => row.slice(0, -1));
  for (let column = 0; ; column += 1) {
    const ending = cells.filter(({ first, columns }) => first + columns - 1 === column);
    if (ending.length === 0 && !cells.some(({ first, columns }) => first + columns > column)) return widths;
    const needed = ending.map(({ text, first }) => {
      const before = widthOf(widths.slice(first, column));
      return (text?.length ?? Infinity) - (before > 0 ? before + BETWEEN_CELLS.length : 0);
    });
    const width = Math.max(0, ...needed);
    if (width > WIDEST_COLUMN) return widths;
    widths[column] = width;
  }
}

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
function joined(pieces: readonly Piece[], separator: (before: string) => string): Piece[] {
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
      const hasWords = output.slice(section?.start ?? 0).some(({ kind }) => kind === "text");
      if (section && isOwed && hasWords && !section.beginsApart) {
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
function linesJoined(pieces: readonly Piece[]): Piece[] {
  return joined(pieces, (before) => (/[,:;.!?]$/.test(before) ? " " : ", "));
}
