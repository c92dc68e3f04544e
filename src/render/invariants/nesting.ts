import type { Diagnostic } from "../../diagnostic.js";
import { scanMarkup, VOID_ELEMENTS } from "../../text/markup/scan.js";
import type { Template } from "../../template/template.js";
import { positionNear, type Tokenised } from "../tokenised.js";

/** The same limit as for sections. Browsers allow 512, but every tree walk needs memory for each level. */
const DEEPEST = 200;

/** Elements whose closing tags may be omitted, so that opening tags don't show their depth. */
const ENDS_BY_ITSELF: ReadonlySet<string> = new Set(
  "p li dt dd tr td th thead tbody tfoot colgroup option optgroup html head body".split(" "),
);

/** Invariant: elements are not nested deeper than email clients and the derivation of the text body can handle. */
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
        message: `Elements are nested more than ${DEEPEST} deep; the innermost is <${piece.name}>.`,
        at: positionNear(html, piece.start) ?? { file },
        hint: "Is a closing tag missing, or written as an opening one?",
      },
    ];
  }
  return [];
}
