import { TOKEN } from "../../mustache/tokens.js";
import { Gap } from "./pieces.js";
import { displayOf, isApart } from "./style.js";
import type { Element, Node } from "./tree.js";

const PARAGRAPHS = "p h1 h2 h3 h4 h5 h6 table blockquote ul ol menu dl pre hr section article figure".split(" ");
const LINES = (
  "address aside body caption center dd details div dt fieldset figcaption footer form header html legend li main " +
  "nav option summary tbody td tfoot th thead tr"
).split(" ");

/** The gap around an element, unless its style says otherwise. */
const GAPS: ReadonlyMap<string, Gap> = new Map([
  ...PARAGRAPHS.map((name) => [name, Gap.blankLine] as const),
  ...LINES.map((name) => [name, Gap.line] as const),
]);

/** The gaps before and after an element. */
export function gapsAround(element: Element, siblings: readonly Node[]): readonly [before: Gap, after: Gap] {
  const display = displayOf(element);
  const gap = GAPS.get(element.name) ?? Gap.none;
  if (display === "inline" || (display === "inline-table" && gap > Gap.line)) {
    return gap === Gap.none ? [gap, gap] : [Gap.line, Gap.line];
  }
  if (gap === Gap.none) {
    const isBox =
      display === "block" || (display === "inline-block" && element.name === "a" && !isInSentence(siblings));
    return isBox ? [Gap.line, Gap.line] : [Gap.none, Gap.none];
  }
  if (element.name === "p" || element.name === "div")
    return [gapAt(element, "top", gap), gapAt(element, "bottom", gap)];
  return [gap, gap];
}

function gapAt(element: Element, side: "top" | "bottom", defaultGap: Gap): Gap {
  const apart = isApart(element, side);
  return apart === undefined ? defaultGap : apart ? Gap.blankLine : Gap.line;
}

function isInSentence(siblings: readonly Node[]): boolean {
  return siblings.some((sibling) => typeof sibling === "string" && /[\p{L}\p{N}]/u.test(sibling.replace(TOKEN, "")));
}
