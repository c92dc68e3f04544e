import type { EmailElement } from "../../document/nodes.js";
import type { Rule } from "../../rule.js";
import { withoutTags } from "./plain.js";
import { paragraphsOf } from "./wordings.js";

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;

export const mixedDirection: Rule = {
  id: "mixed-direction",
  summary: "A text that is written from right to left stands in an element that is not.",
  severity: "warning",
  checkTemplate: ({ document }) =>
    paragraphsOf(document).flatMap(({ text, element, at }) => {
      const words = withoutTags(text);
      const rtl = words.match(RTL) ?? [];
      if (rtl.length < 2) return [];
      const letters = words.match(LETTER) ?? [];
      // A name or two in a sentence of the other direction is placed well by itself.
      if (rtl.length * 2 < letters.length || directionOf(element) !== "ltr") return [];
      const part = /[^\uFFFC\n]*[\p{Script=Hebrew}\p{Script=Arabic}][^\uFFFC\n]*/u.exec(words)?.[0].trim() ?? "";
      return [
        {
          message: `"${part.slice(0, 40)}" is written from right to left, and its element is not: marks and numbers come to stand at the wrong end.`,
          at: at(part),
          hint: 'Add dir="rtl" to the element, or to <html> together with "direction": "rtl" in template.json.',
        },
      ];
    }),
};

/** Undefined where it is decided later: `auto`, or by a tag. */
function directionOf(element: EmailElement): "ltr" | "rtl" | undefined {
  for (const each of [element, ...element.ancestors, ...element.descendants]) {
    const value = each.styleValue("direction") ?? each.attribute("dir")?.trim().toLowerCase();
    // What an inline element inside says counts for the words that it holds.
    if (value === "ltr" && element.descendants.includes(each)) continue;
    if (value !== undefined && value !== "") return value === "ltr" || value === "rtl" ? value : undefined;
  }
  return "ltr";
}
