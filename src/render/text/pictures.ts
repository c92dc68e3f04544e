import { Gap, type Piece } from "./pieces.js";

const GENERIC = /\b(?:avatar|banner|icon|illustration|image|logo|photo|picture|spacer)\b/i;

/** Whether an alternative text only says that there is an image. */
export function namesItself(alternative: string): boolean {
  return GENERIC.test(alternative);
}

/**
 * Writes the alternative text of images among words, where omitting it would leave a hole: `Rated 4 stars by you`. Images on
 * their own, such as logos, are omitted, as in hand-written texts.
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
