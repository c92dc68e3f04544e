import type { TagTable } from "../../mustache/tokens.js";
import type { Findings } from "../findings.js";
import { sectionsOpened } from "../sections.js";
import { chainNote } from "../source/chain.js";
import { elementsOf } from "./document.js";
import { attributeValue, type MjmlElement, positionOf } from "./element.js";

const ROWS: readonly string[] = ["mj-section", "mj-group"];

/**
 * Warns of columns without a width in a Mustache section: MJML divides the row by the number of columns in the source, not
 * by the number that is shown.
 */
export function checkLoopedColumns(document: MjmlElement, tags: TagTable, findings: Findings): void {
  const elements = elementsOf(document);
  const defaults = elements.filter(({ tagName }) => tagName === "mj-attributes").flatMap(({ children }) => children);
  const hasDefault = defaults.some(
    (element) => /^mj-(?:column|all)$/.test(element.tagName) && attributeValue(element, "width") !== undefined,
  );
  if (hasDefault) return;
  for (const { tagName, children } of elements) {
    if (!ROWS.includes(tagName)) continue;
    let depth = 0;
    for (const child of children) {
      depth += child.tagName === "mj-raw" ? sectionsOpened(child.content?.text ?? "", tags) : 0;
      const mayHaveWidth = ["width", "mj-class"].some((name) => attributeValue(child, name) !== undefined);
      if (depth === 0 || child.tagName !== "mj-column" || mayHaveWidth) continue;
      const message = `MJML computes the width of this <mj-column> from the columns in the source, not from those that are shown${chainNote(child.source.chain)}.`;
      const hint =
        "Give it a width, or put the section around a whole <mj-section>, which Outlook shows correctly for any number.";
      findings.warning("mjml-column-width", message, positionOf(child), hint);
    }
  }
}
