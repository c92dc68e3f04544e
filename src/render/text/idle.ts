import type { Piece } from "./pieces.js";

/** Removes rules that separate nothing: at both ends of the text, and all but one of several in a row. */
export function withoutIdleRules(pieces: readonly Piece[]): Piece[] {
  const last = pieces.findLastIndex((piece) => piece.kind === "text" && !piece.isRule);
  let isBelowWords = false;
  return pieces.filter((piece, index) => {
    if (piece.kind !== "text") return true;
    const isKept = !piece.isRule || (isBelowWords && index < last);
    isBelowWords = !piece.isRule;
    return isKept;
  });
}

/**
 * Removes sections without text, such as one around an image, and records their tags. The gaps in them are
 * kept.
 */
export function withoutIdleSections(pieces: readonly Piece[], skipped: Set<number>): Piece[] {
  const output: Piece[] = [];
  const starts: number[] = [];
  for (const piece of pieces) {
    if (piece.kind === "opens") starts.push(output.length);
    output.push(piece);
    const start = piece.kind === "closes" ? starts.pop() : undefined;
    const inner = start === undefined ? [] : output.slice(start);
    if (start === undefined || inner.some(({ kind }) => kind === "text")) continue;
    for (const tag of inner) if (tag.kind === "opens" || tag.kind === "closes") skipped.add(tag.tag);
    output.splice(start, Infinity, ...inner.filter(({ kind }) => kind === "gap"));
  }
  return output;
}
