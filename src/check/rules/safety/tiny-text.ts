import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { type Cascade, cascadeOf } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/media.js";
import { fontSizeOf } from "../../styles/type.js";
import { isHidden } from "../../styles/visible.js";
import { visibleText } from "../subject/visible-text.js";

/** Pixels below which nobody reads, and below which few do. */
const TINY = 8;
const SMALL = 10;

export const tinyText: Rule = {
  id: "tiny-text",
  summary: "A text is too small to be read.",
  severity: "warning",
  checkTemplate({ document }) {
    const cascade = cascadeOf(document);
    // One for all texts that have their size from the same place.
    const findings = new Map<string, Finding>();
    for (const node of document.texts) {
      const { parent } = node;
      const size = fontSizeOf(cascade, parent, LIGHT);
      if (size === undefined || size >= SMALL || isHidden(cascade, parent, LIGHT)) continue;
      const text = visibleText(node.text);
      if (!/[\p{L}\p{N}]|\{\{/u.test(text) || !parent.ancestors.includes(document.body)) continue;
      const at = placeOfSize(cascade, parent) ?? node.at();
      const key = JSON.stringify([size, at]);
      if (findings.has(key)) continue;
      const reason = size < TINY ? "nobody can read it, and filters take it for hidden text" : "few can read it";
      findings.set(key, {
        severity: size < TINY ? "warning" : "info",
        message: `"${text.slice(0, 40)}" is ${Number(size.toFixed(1))} pixels high: ${reason}.`,
        at,
        hint: "Give it at least 12 pixels.",
      });
    }
    return [...findings.values()];
  },
};

/** Where a text's size is written; undefined of what is as large as browsers or a compiler make it. */
function placeOfSize(cascade: Cascade, element: EmailElement): SourcePosition | undefined {
  const { given, by } = cascade.inherited(element, "font-size", LIGHT) ?? {};
  const [at, tag] = [given?.at(), by?.at()];
  const isWritten = at?.line !== undefined && (at.line !== tag?.line || at.column !== tag?.column);
  return isWritten ? at : undefined;
}
