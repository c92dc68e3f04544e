import { type Piece, scanMarkup } from "./scan.js";

const HOLDS_NO_MARKUP: readonly string[] = ["style", "script", "title", "textarea"];

/** The texts of HTML in which a `<` can begin a tag: not those of styles, scripts and titles. */
export function textsIn(html: string): Piece[] {
  let containsMarkup = true;
  return scanMarkup(html).pieces.filter((piece) => {
    const isText = piece.kind === "text" && containsMarkup;
    containsMarkup = piece.kind !== "open" || !HOLDS_NO_MARKUP.includes(piece.name);
    return isText;
  });
}
