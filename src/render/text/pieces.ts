import { roleOf, type TagTable, TOKEN } from "../../mustache/tokens.js";

const ALWAYS_INVISIBLE = /\u00AD|\u034F|\u200B|\u2060|\uFEFF/g;

/** Zero-width joiners that join nothing; between letters and in emoji they change the appearance. */
const LOOSE_JOINERS =
  /(?<!\uFE0F|[\p{L}\p{M}\p{Extended_Pictographic}\u{1F3FB}-\u{1F3FF}\uE001])[\u200C\u200D]+|[\u200C\u200D]+(?![\p{L}\p{M}\p{Extended_Pictographic}\uE000])/gu;

/** Removes characters without width: soft hyphens, and the padding of a preheader. */
export function visible(text: string): string {
  const shown = text.replace(ALWAYS_INVISIBLE, "");
  return /[\u200C\u200D]/.test(shown) ? shown.replace(LOOSE_JOINERS, "") : shown;
}

const RAISED = new Map(Array.from("0123456789+-()", (plain, index) => [plain, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾".charAt(index)]));
const LOWERED = new Map(Array.from("0123456789+-()", (plain, index) => [plain, "₀₁₂₃₄₅₆₇₈₉₊₋₍₎".charAt(index)]));

/** Text as superscript or subscript: `10²`, because `102` is another number. Undefined if a character has no such form. */
export function toScriptCharacters(text: string, element: "sup" | "sub"): string | undefined {
  const table = element === "sup" ? RAISED : LOWERED;
  const characters = Array.from(text.trim(), (character) => table.get(character));
  return characters.includes(undefined) ? undefined : characters.join("");
}

interface Level {
  readonly first: string;
  readonly rest: string;
  isBegun: boolean;
}

/** The prefixes of lines in lists and quotes: a bullet for the first line of an item, and indentation for the others. */
export class Margin {
  readonly #levels: Level[] = [];
  /** For each enclosing section, which levels had begun before it. */
  readonly #sections: boolean[][] = [];

  within(first: string, rest: string, write: () => void): void {
    this.#levels.push({ first, rest, isBegun: false });
    write();
    this.#levels.pop();
  }

  /** The prefix of a line that begins now. */
  take(): string {
    const prefix = this.next();
    for (const level of this.#levels) level.isBegun = true;
    return prefix;
  }

  next(): string {
    return this.#levels.map(({ first, rest, isBegun }) => (isBegun ? rest : first)).join("");
  }

  /** Of several sections at the beginning of an item, any may be shown first, so each gets the bullet. */
  pass(role: "opens" | "closes"): void {
    if (role === "opens") {
      this.#sections.push(this.#levels.map(({ isBegun }) => isBegun));
      return;
    }
    for (const [index, isBegun] of (this.#sections.pop() ?? []).entries()) {
      const level = this.#levels[index];
      if (level) level.isBegun = isBegun;
    }
  }
}

/** The minimum gap between two pieces. */
export const Gap = { none: 0, space: 1, line: 2, blankLine: 3 } as const;
export type Gap = (typeof Gap)[keyof typeof Gap];

export function widest(one: Gap, other: Gap): Gap {
  return one > other ? one : other;
}

export type Piece =
  | TextPiece
  | { readonly kind: "gap"; readonly size: Gap }
  | TagPiece
  | { readonly kind: "label" }
  /** The ends of a table's only row. */
  | { readonly kind: "row-starts" | "row-ends" }
  | { readonly kind: "picture"; readonly alternative: string; readonly prefix: string }
  | AddressPiece;

export interface TagPiece {
  readonly kind: "opens" | "closes";
  readonly tag: number;
  readonly token: string;
}

export interface TextPiece {
  readonly kind: "text";
  readonly text: string;
  /** The beginning of its line: indentation, a quote's mark, an item's bullet. */
  readonly prefix: string;
  /** Whether it is a line drawn between parts of the page. */
  readonly isRule?: true;
}

/** The end of a link, whose label began at the last label piece. */
export interface AddressPiece {
  readonly kind: "address";
  readonly address: string;
  /** The alternative text of its images, used if the link has no text. */
  readonly alternative: string;
  readonly prefix: string;
}

/** Collects pieces, with at most one gap between any two. */
export class Flow {
  readonly pieces: Piece[] = [];
  readonly #tags: TagTable;
  readonly #margin: Margin;

  constructor(tags: TagTable, margin: Margin) {
    this.#tags = tags;
    this.#margin = margin;
  }

  gap(size: Gap): void {
    const last = this.pieces.at(-1);
    if (last?.kind === "label") {
      // Space at the beginning of a link moves before it.
      this.pieces.pop();
      this.gap(size);
      this.pieces.push(last);
    } else if (last?.kind !== "gap") {
      if (last && size > Gap.none) this.pieces.push({ kind: "gap", size });
    } else if (last.size < size) {
      this.pieces[this.pieces.length - 1] = { kind: "gap", size };
    }
  }

  /** A `<br>`: on an empty line, it leaves a blank one. */
  lineBreak(): void {
    const last = this.pieces.at(-1);
    this.gap(last?.kind === "gap" && last.size >= Gap.line ? Gap.blankLine : Gap.line);
  }

  /** Running text: whitespace collapses to one space. */
  words(text: string): void {
    this.#split(visible(text).replace(/\s+/g, " "), (part) => {
      if (part.startsWith(" ")) this.gap(Gap.space);
      if (part.trim() !== "") this.literal(part.trim());
      if (part.endsWith(" ")) this.gap(Gap.space);
    });
  }

  /** Preformatted text: line ends and whitespace are kept. */
  verbatim(text: string): void {
    for (const [index, line] of visible(text).replace(/\r\n?/g, "\n").split("\n").entries()) {
      if (index > 0) this.lineBreak();
      this.#split(line.replaceAll("\u00A0", " "), (part) => this.literal(part));
    }
  }

  /** Running text whose line ends are kept. */
  lines(text: string): void {
    for (const [index, line] of text.replace(/\r\n?/g, "\n").split("\n").entries()) {
      if (index > 0) this.lineBreak();
      this.words(line);
    }
  }

  literal(text: string): void {
    this.pieces.push({ kind: "text", text, prefix: this.#margin.take() });
  }

  rule(): void {
    this.gap(Gap.blankLine);
    this.pieces.push({ kind: "text", text: "---", prefix: this.#margin.take(), isRule: true });
    this.gap(Gap.blankLine);
  }

  picture(alternative: string): void {
    this.pieces.push({ kind: "picture", alternative, prefix: this.#margin.next() });
  }

  /** `write` adds the link's label; space at its end moves after the address. */
  link(address: string, alternative: string, write: () => void): void {
    const before = this.pieces.at(-1);
    // Adjacent links are separated by their style, as buttons are.
    if (before?.kind === "address" && before.address !== "" && address !== "") this.gap(Gap.line);
    this.pieces.push({ kind: "label" });
    write();
    const last = this.pieces.at(-1);
    const space = last?.kind === "gap" ? this.pieces.pop() : undefined;
    this.pieces.push({ kind: "address", address, alternative, prefix: this.#margin.next() });
    if (space) this.add([space]);
  }

  add(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (piece.kind === "gap") this.gap(piece.size);
      else this.pieces.push(piece);
    }
  }

  /** Section tags become separate pieces; tags that print stay in the text. */
  #split(text: string, take: (part: string) => void): void {
    if (!text.includes("\uE000")) {
      if (text !== "") take(text);
      return;
    }
    let from = 0;
    for (const match of text.matchAll(TOKEN)) {
      const tag = Number(match[1]);
      const role = roleOf(this.#tags[tag]);
      if (role === "prints") continue;
      if (match.index > from) take(text.slice(from, match.index));
      this.#margin.pass(role);
      this.pieces.push({ kind: role, tag, token: match[0] });
      from = match.index + match[0].length;
    }
    if (from < text.length) take(text.slice(from));
  }
}

/** Whether there is any text. */
export function hasText(pieces: readonly Piece[]): boolean {
  return pieces.some((piece) => piece.kind === "text" || piece.kind === "address");
}

/** Without the gaps at both ends. */
export function trimmed(pieces: readonly Piece[]): readonly Piece[] {
  const isGap = (piece: Piece | undefined) => piece?.kind === "gap";
  const start = isGap(pieces[0]) ? 1 : 0;
  return isGap(pieces.at(-1)) ? pieces.slice(start, -1) : pieces.slice(start);
}
