import { type Piece, scanMarkup } from "./scan.js";

/** How a body is read: by a mail client, or by Outlook for Windows, which obeys conditional comments. */
export type View = "normal" | "outlook";

/** A piece of a body as a view sees it; `hidden` pieces count only for the tags in them. */
export interface ViewedPiece {
  readonly piece: Piece;
  readonly hidden: boolean;
}

const HIDDEN_BLOCK = /^<!--\[if ([^\]]*)\]>(?!<!--)([^]*?)(?:<!\[endif\]-->)$/;
const SHOWN_BLOCK_START = /^<!(?:--)?\[if ([^\]]*)\](?:><!--.*)?>$/;
const SHOWN_BLOCK_END = /^<!(?:--<!)?\[endif\](?:--)?>$/;

/** The pieces of a body in the order of their offsets, conditional comments resolved for a view. */
export function piecesInView(html: string, view: View): ViewedPiece[] {
  const viewed: ViewedPiece[] = [];
  let hidden = false;
  for (const piece of scanMarkup(html).pieces) {
    if (piece.kind !== "comment" && piece.kind !== "declaration") {
      viewed.push({ piece, hidden });
      continue;
    }
    const text = html.slice(piece.start, piece.end);
    const block = HIDDEN_BLOCK.exec(text);
    const start = SHOWN_BLOCK_START.exec(text);
    if (block && view === "outlook" && isForOutlook(block[1] ?? "")) {
      const inner = block[2] ?? "";
      const shift = piece.start + text.indexOf(inner, text.indexOf("]>") + 2);
      for (const within of scanMarkup(inner).pieces) viewed.push({ piece: shifted(within, shift), hidden });
    } else if (start && !block) {
      hidden = view === "outlook" && !isForOutlook(start[1] ?? "");
    } else if (SHOWN_BLOCK_END.test(text)) {
      hidden = false;
    } else {
      viewed.push({ piece, hidden: hidden || piece.kind === "comment" });
    }
  }
  return viewed;
}

/** A body without what a view hides: what it is to a client that reads conditional comments so. */
export function htmlInView(html: string, view: View): string {
  return piecesInView(html, view)
    .map(({ piece, hidden }) => (hidden ? "" : html.slice(piece.start, piece.end)))
    .join("");
}

/**
 * Where a conditional comment is that is none, as its condition or its end is misspelt: it hides what it holds from Outlook, too.
 *
 * @example
 * brokenConditions("<!--[if mso]><b></b><!endif]-->"); // [{ offset: 0, lacks: "<![endif]-->" }]
 */
export function brokenConditions(html: string): { readonly offset: number; readonly lacks: string }[] {
  if (!html.includes("<!--[if")) return [];
  return scanMarkup(html).pieces.flatMap(({ kind, start, end }) => {
    const text = kind === "comment" ? html.slice(start, end) : "";
    if (!/^<!--\[if\b/.test(text)) return [];
    if (!/^<!--\[if[^\]<]*\]\s*>/.test(text)) return [{ offset: start, lacks: "]>" }];
    if (/^<!--\[if[^\]]*\b(?:mos|oms|smo|msoo|mmso|ms0)\b/i.test(text)) return [{ offset: start, lacks: "mso" }];
    return ENDED.test(text) ? [] : [{ offset: start, lacks: "<![endif]-->" }];
  });
}

/** With its end in it; or the beginning of what all but Outlook see. */
const ENDED = /<!\[endif\]-->$|^<!--\[if[^\]]*\]\s*>\s*(?:<!--.*|--)?>?$|^<!--\[if[^\]]*\]\s*>\s*<!--/;

/** Whether Outlook for Windows fulfils a condition: all versions of it are taken alike. */
function isForOutlook(condition: string): boolean {
  return /\bmso\b/.test(condition) && !/!\s*\(?\s*mso\b/.test(condition);
}

function shifted(piece: Piece, by: number): Piece {
  const moved = { ...piece, start: piece.start + by, end: piece.end + by };
  return moved;
}
