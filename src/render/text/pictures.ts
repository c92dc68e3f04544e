import { Gap, type Piece } from "./pieces.js";

const NAMES_ITSELF = /\b(?:avatar|banner|icon|illustration|image|logo|photo|picture|spacer)\b/i;

/** Whether an alternative text says no more than that there is a picture. */
export function namesItself(alternative: string): boolean {
  return NAMES_ITSELF.test(alternative);
}

/**
 * Writes the alternative text of a picture that stands among words, where leaving it out would leave a hole: `Rated
 * 4 stars by you`. A picture on its own, such as a logo, is what a person who writes a text does without.
 */
export function writePictures(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some(({ kind }) => kind === "picture")) return [...pieces];
  const output: Piece[] = [];
  let start = 0;
  for (const [index, piece] of pieces.entries()) {
    const isLineEnd = piece.kind === "gap" && piece.size >= Gap.line;
    if (!isLineEnd && index < pieces.length - 1) continue;
    output.push(...writeLine(pieces.slice(start, index + 1)));
    start = index + 1;
  }
  return output;
}

function writeLine(line: readonly Piece[]): readonly Piece[] {
  if (!line.some(({ kind }) => kind === "picture")) return line;
  const words = line.map((piece) => (piece.kind === "text" ? piece.text : "")).join(" ");
  const isSentence = /[\p{L}\p{N}\uE000]/u.test(words);
  return line.flatMap((piece): Piece[] => {
    if (piece.kind !== "picture") return [piece];
    const { alternative, prefix } = piece;
    const isNeeded = isSentence && !namesItself(alternative) && !words.includes(alternative);
    return isNeeded ? [{ kind: "text", text: alternative, prefix }] : [];
  });
}
