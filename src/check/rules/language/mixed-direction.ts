import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule } from "../../rule.js";
import { paragraphsOf } from "../../lib/texts.js";

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;

export const mixedDirection: BuiltInRule = {
  id: "mixed-direction",
  severity: "warning",
  summary: "Right-to-left text is in an element that is not right-to-left.",
  details: "Text in Hebrew, Arabic or another right-to-left script is in an element that is not right-to-left.",
  why:
    "Its punctuation and numbers end up on the wrong side, and it is aligned to the left ([W3C, on " +
    "direction](https://www.w3.org/International/questions/qa-html-dir)). A few words in a paragraph that is " +
    "mostly left-to-right are fine.",
  fix:
    'Add `dir="rtl"` to the element. For a whole email, set `direction` in `template.json`, or `dir="rtl"` on ' +
    "`<html>`.",
  examples: {
    wrong: ["<p>‸ההזמנה שלך בדרך אליך.</p>"],
    right: ['<p dir="rtl">ההזמנה שלך בדרך אליך.</p>', "<p>The Hebrew word שלום means peace, and is a greeting.</p>"],
  },
  *checkTemplate({ document }) {
    for (const { words, element, at } of paragraphsOf(document)) {
      const rtl = words.match(RTL) ?? [];
      const letters = words.match(LETTER) ?? [];
      // Browsers place a few words in a left-to-right sentence correctly.
      if (rtl.length < 2 || rtl.length * 2 < letters.length || !isLeftToRight(element)) continue;
      const part = /[^\uFFFC\n]*[\p{Script=Hebrew}\p{Script=Arabic}][^\uFFFC\n]*/u.exec(words)?.[0].trim() ?? "";
      yield {
        message: `"${part.slice(0, 40)}" is right-to-left text in a left-to-right element: punctuation and numbers end up on the wrong side.`,
        at: at(part),
        hint: 'Add `dir="rtl"` to the element, or to `<html>` together with `"direction": "rtl"` in template.json; in MJML also `direction="rtl"` to `<mj-section>` and `<mj-column>`.',
      };
    }
  },
};

/** False if `auto` or a tag decides the direction, or an element inside sets its own. */
function isLeftToRight(element: EmailElement): boolean {
  const own = [element, ...element.ancestors].map(directionOf).find((direction) => direction !== "");
  return (own ?? "ltr") === "ltr" && element.descendants.every((inner) => /^(?:ltr)?$/.test(directionOf(inner)));
}

function directionOf(element: EmailElement): string {
  return element.styleValue("direction") ?? element.attribute("dir")?.trim().toLowerCase() ?? "";
}
