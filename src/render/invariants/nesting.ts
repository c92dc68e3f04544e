import type { Diagnostic } from "../../diagnostic.js";
import { scanMarkup, VOID_ELEMENTS } from "../../markup/scan.js";
import type { Template } from "../../template/template.js";
import { positionNear, type Tokenised } from "../tokenised.js";

/** As of sections. Browsers go on to 512, and all that walks the elements needs memory for each of them. */
const DEEPEST = 200;

/** Elements that may go without their closing tags, so that opening tags don't tell how deep they are. */
const ENDS_BY_ITSELF: ReadonlySet<string> = new Set(
  "p li dt dd tr td th thead tbody tfoot colgroup option optgroup html head body".split(" "),
);

/** Invariant: elements are not nested deeper than mail clients and what makes the text body can follow. */
export function checkNesting(html: Tokenised, { body: { file } }: Template): Diagnostic[] {
  let depth = 0;
  for (const piece of scanMarkup(html.text).pieces) {
    if (piece.kind !== "open" && piece.kind !== "close") continue;
    if (VOID_ELEMENTS.has(piece.name) || ENDS_BY_ITSELF.has(piece.name)) continue;
    if (piece.kind === "close") depth = Math.max(0, depth - 1);
    else if (!piece.selfClosing) depth += 1;
    if (depth <= DEEPEST) continue;
    return [
      {
        rule: "markup-unbalanced",
        severity: "error",
        message: `Elements are nested more than ${DEEPEST} deep, the innermost is <${piece.name}>.`,
        at: positionNear(html, piece.start) ?? { file },
        hint: "Is a closing tag missing, or written as an opening one?",
      },
    ];
  }
  return [];
}
