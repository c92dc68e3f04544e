import { areEndedBy } from "../../text/markup/open-elements.js";
import type { ViewedPiece } from "../../text/markup/views.js";
import { type TagTable, TOKEN } from "../../mustache/tokens.js";
import { roleOf } from "../sections.js";

interface Following {
  readonly pieces: readonly ViewedPiece[];
  /** The offset of a section's tag. */
  readonly from: number;
  readonly parts: readonly string[];
}

/** Whether the next tag ends these table parts, whichever sections are shown after them. */
export function endsNext(html: string, tags: TagTable, { pieces, from, parts }: Following): boolean {
  let depth = 0;
  /** The depth of the section whose first tag has ended them. */
  let ended = Infinity;
  let isFirst = true;
  for (const { piece, hidden } of pieces) {
    if (hidden || piece.end <= from) continue;
    if (piece.kind === "open" || piece.kind === "close") {
      if (depth >= ended) continue;
      if (!areEndedBy(parts, piece)) return false;
      if (depth === 0) return true;
      ended = depth;
    } else if (piece.kind === "text") {
      for (const [written, number] of html.slice(Math.max(piece.start, from), piece.end).matchAll(TOKEN_OR_WORD)) {
        const role = number === undefined ? undefined : roleOf(tags[Number(number)]);
        if (isFirst) {
          isFirst = false;
          continue;
        }
        if (role === "opens") depth += 1;
        else if (role === "closes") depth -= 1;
        else if (written !== "" && depth < ended) return false;
        if (depth < 0) return false;
        if (depth < ended) ended = Infinity;
      }
    }
  }
  return false;
}

const TOKEN_OR_WORD = new RegExp(`${TOKEN.source}|[^\\s\uE000]+`, "g");
