import { Gap, type Piece, widest } from "./pieces.js";

/**
 * Closes the gaps between rows that each have a separate table, as MJML and React Email write them: they look like one
 * table. Gaps at the ends of a section move out of it if the repeated rows have none in between.
 */
export function closeRows(pieces: readonly Piece[]): Piece[] {
  if (!pieces.some(({ kind }) => kind === "row-starts")) return [...pieces];
  const output = pieces.flatMap((piece): Piece[] => {
    return piece.kind === "opens" ? [NO_GAP, piece] : piece.kind === "closes" ? [piece, NO_GAP] : [piece];
  });
  const open: number[] = [];
  let ended = -1;
  for (let index = 0; index < output.length; index += 1) {
    const piece = output[index];
    if (piece?.kind === "text") ended = -1;
    if (piece?.kind === "row-ends") ended = index;
    if (piece?.kind === "row-starts" && ended >= 0) narrow(output, ended, index);
    if (piece?.kind === "opens") open.push(index);
    if (piece?.kind === "closes") loosen(output, open.pop() ?? index, index);
  }
  return output.filter(({ kind }) => kind !== "row-starts" && kind !== "row-ends");
}

const NO_GAP: Piece = { kind: "gap", size: Gap.none };

function narrow(pieces: Piece[], start: number, end: number): void {
  for (let index = start; index < end; index += 1) {
    if (pieces[index]?.kind === "gap") pieces[index] = { kind: "gap", size: Gap.line };
  }
}

/** Swaps the wide gaps at the ends of a section with the gaps around it, if it begins and ends with such a row. */
function loosen(pieces: Piece[], opens: number, closes: number): void {
  const first = pieces[opens + 1];
  const last = pieces[closes - 1];
  if (first?.kind !== "gap" || last?.kind !== "gap") return;
  if (pieces[opens + 2]?.kind !== "row-starts" || pieces[closes - 2]?.kind !== "row-ends") return;
  for (const [outer, inner, gap] of [
    [opens - 1, opens + 1, first],
    [closes + 1, closes - 1, last],
  ] as const) {
    const around = pieces[outer];
    if (around?.kind !== "gap") continue;
    pieces[outer] = { kind: "gap", size: widest(around.size, gap.size) };
    pieces[inner] = { kind: "gap", size: Gap.line };
  }
}
