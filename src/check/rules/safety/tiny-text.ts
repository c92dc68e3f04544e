import type { Rule } from "../../rule.js";
import { cascadeOf } from "../../styles/cascade.js";
import { LIGHT } from "../../styles/media.js";
import { fontSizeOf } from "../../styles/type.js";
import { isHidden } from "../../styles/visible.js";
import { onceEach } from "../../once-each.js";
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
    return onceEach(
      document.texts.flatMap((node) => {
        const { parent } = node;
        const size = fontSizeOf(cascade, parent, LIGHT);
        if (size === undefined || size >= SMALL || isHidden(cascade, parent, LIGHT)) return [];
        const text = visibleText(node.text);
        if (!/[\p{L}\p{N}]|\{\{/u.test(text) || !parent.ancestors.includes(document.body)) return [];
        const reason = size < TINY ? "nobody can read it, and filters take it for hidden text" : "few can read it";
        return [
          {
            severity: size < TINY ? "warning" : "info",
            message: `"${text.slice(0, 40)}" is ${Number(size.toFixed(1))} pixels high: ${reason}.`,
            at: node.at(),
            hint: "Give it at least 12 pixels.",
          },
        ];
      }),
    );
  },
};
