import type { SourcePosition } from "../../../diagnostic.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, Finding } from "../../rule.js";
import { inheritedValue } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/matching.js";
import { fontSizeOf, isHidden } from "../../styles/computed.js";
import { visibleText } from "../../lib/texts.js";

/** Font sizes in pixels below which text is unreadable, and hard to read. */
const TINY = 8;
const SMALL = 10;

export const tinyText: BuiltInRule = {
  id: "tiny-text",
  severity: "warning",
  summary: "Text is too small to read.",
  details: "Text is smaller than 8 pixels, or smaller than 10 (a note).",
  why:
    "Few people, if any, can read it, and spammers hide words this way: " +
    "[SpamAssassin](https://github.com/apache/spamassassin/tree/trunk/rules) has `HTML_FONT_TINY_NORDNS`.",
  fix: "Make it at least 12 pixels.",
  examples: {
    wrong: ['<p style="‸font-size: 6px">Terms and conditions apply.</p>'],
    right: ['<p style="font-size: 12px">Terms and conditions apply.</p>'],
  },
  checkTemplate({ document }) {
    // One finding for all text whose size is set in the same place.
    const findings = new Map<string, Finding>();
    for (const node of document.texts) {
      const { parent } = node;
      const size = fontSizeOf(parent, LIGHT);
      if (size === undefined || size >= SMALL || isHidden(parent, LIGHT)) continue;
      const text = visibleText(node.text);
      if (!/[\p{L}\p{N}]|\{\{/u.test(text) || !parent.ancestors.includes(document.body)) continue;
      const at = positionOfSize(parent) ?? node.at();
      const key = JSON.stringify([size, at]);
      if (findings.has(key)) continue;
      const reason =
        size < TINY ? "nobody can read it, and spam filters treat it as hidden text" : "few people can read it";
      findings.set(key, {
        severity: size < TINY ? "warning" : "info",
        message: `"${text.slice(0, 40)}" is ${Number(size.toFixed(1))} pixels high: ${reason}.`,
        at,
        hint: "Make it at least 12 pixels.",
      });
    }
    return [...findings.values()];
  },
};

/** Where the font size is set; undefined if it is a default of browsers or of a compiler. */
function positionOfSize(element: EmailElement): SourcePosition | undefined {
  const { given, by } = inheritedValue(element, "font-size", LIGHT) ?? {};
  const [at, tag] = [given?.at(), by?.at()];
  const isWritten = at?.line !== undefined && (at.line !== tag?.line || at.column !== tag?.column);
  return isWritten ? at : undefined;
}
