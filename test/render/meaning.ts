import { piecesInView } from "../../src/render/invariants/balance.js";

const WITHOUT_TEXT = ["style", "script", "title"];
const SHOWN_ATTRIBUTES = ["href", "src", "alt"];

/** What a reader perceives in a body, in order: words, and `@href=…` of links and images. Markup and space are ignored. */
export function meaningOf(html: string): string[] {
  const pieces = piecesInView(html, "normal").flatMap(({ piece, hidden }) => (hidden ? [] : [piece]));
  const body = pieces.findIndex((piece) => piece.kind === "open" && piece.name === "body");
  return pieces.flatMap((piece, index) => {
    if (index < body) return [];
    if (piece.kind === "open") {
      const shown = piece.attributes.filter(({ name, value }) => SHOWN_ATTRIBUTES.includes(name) && value !== "");
      return shown.map(({ name, value }) => `@${name}=${value}`);
    }
    const previous = pieces[index - 1];
    if (piece.kind !== "text" || (previous?.kind === "open" && WITHOUT_TEXT.includes(previous.name))) return [];
    return html
      .slice(piece.start, piece.end)
      .split(/[ \t\r\n\f]+/)
      .filter((word) => word !== "");
  });
}
