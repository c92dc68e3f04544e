import { type Piece, scanMarkup } from "../../text/markup/scan.js";

/** How a body is read: by most email clients, or by Outlook for Windows, which applies conditional comments. */
export type View = "normal" | "outlook";

/** A piece of a body in a view; in `hidden` pieces, only the Mustache tags count. */
export interface ViewedPiece {
  readonly piece: Piece;
  readonly hidden: boolean;
}

const HIDDEN_BLOCK = /^<!--\[if ([^\]]*)\]>(?!<!--)([^]*?)(?:<!\[endif\]-->)$/;
const SHOWN_BLOCK_START = /^<!(?:--)?\[if ([^\]]*)\](?:><!--.*)?>$/;
const SHOWN_BLOCK_END = /^<!(?:--<!)?\[endif\](?:--)?>$/;

/** The pieces of a body in order, with conditional comments resolved for a view. */
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

/** A body without what a view hides: what a client that treats conditional comments this way sees. */
export function htmlInView(html: string, view: View): string {
  return piecesInView(html, view)
    .map(({ piece, hidden }) => (hidden ? "" : html.slice(piece.start, piece.end)))
    .join("");
}

/**
 * Finds conditional comments whose condition or end is misspelt: they hide their content from Outlook, too.
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

/** Ends correctly, or begins the content for all clients except Outlook. */
const ENDED = /<!\[endif\]-->$|^<!--\[if[^\]]*\]\s*>\s*(?:<!--.*|--)?>?$|^<!--\[if[^\]]*\]\s*>\s*<!--/;

/** Whether a condition applies to Outlook for Windows, in any version. */
function isForOutlook(condition: string): boolean {
  return /\bmso\b/.test(condition) && !/!\s*\(?\s*mso\b/.test(condition);
}

function shifted(piece: Piece, by: number): Piece {
  const moved = { ...piece, start: piece.start + by, end: piece.end + by };
  return moved;
}
