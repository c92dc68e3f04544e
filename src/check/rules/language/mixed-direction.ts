import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { withoutTags } from "./plain.js";
import { paragraphsOf } from "./wordings.js";

const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/gu;
const LETTER = /\p{L}/gu;

export const mixedDirection: Rule = {
  id: "mixed-direction",
  summary: "A text that is written from right to left stands in an element that is not.",
  severity: "warning",
  checkTemplate: ({ document }) => [
    ...wholeDirection(document),
    ...paragraphsOf(document).flatMap(({ text, element, at }) => {
      const words = withoutTags(text);
      const rtl = words.match(RTL) ?? [];
      if (rtl.length < 2) return [];
      const letters = words.match(LETTER) ?? [];
      // A name or two in a sentence of the other direction is placed well by itself.
      const isMost = rtl.length * 2 >= letters.length;
      if ((!isMost && !hasSentence(words)) || directionOf(element) !== "ltr") return [];
      const part = /[^\uFFFC\n]*[\p{Script=Hebrew}\p{Script=Arabic}][^\uFFFC\n]*/u.exec(words)?.[0].trim() ?? "";
      return [
        {
          message: `"${part.slice(0, 40)}" is written from right to left, and its element is not: marks and numbers come to stand at the wrong end.`,
          at: at(part),
          hint: isOfMjml(document)
            ? 'Set `direction="rtl"` on `<mj-section>` and `<mj-column>`, which say ltr otherwise, or in `<mj-attributes>`.'
            : 'Add `dir="rtl"` to the element, or to `<html>` together with `"direction": "rtl"` in template.json.',
        },
      ];
    }),
  ],
};

/** Whether several words in a row are from right to left, with a mark or a number that comes to stand among them. */
function hasSentence(words: string): boolean {
  return /(?:[\p{Script=Hebrew}\p{Script=Arabic}]{2,}[\s,;:]+){3,}[\p{Script=Hebrew}\p{Script=Arabic}]{2,}[.!?]/u.test(
    words,
  );
}

/** A whole mail that is from right to left already, but for what MJML writes itself. */
function isOfMjml(document: EmailDocument): boolean {
  const [body = ""] = document.input.sources.keys();
  return body.endsWith(".mjml") && document.first("html")?.attribute("dir") === "rtl";
}

/** Letters below which a body may have its words from variables. */
const FEW = 40;

/** A whole body that says of itself that it is from right to left, and has no letter that is. */
function wholeDirection(document: EmailDocument): Finding[] {
  const html = document.first("html");
  if (!html || html.attribute("dir")?.trim().toLowerCase() !== "rtl") return [];
  const words = paragraphsOf(document)
    .map(({ text }) => withoutTags(text))
    .join(" ");
  if (words.search(RTL) >= 0 || (words.match(LETTER) ?? []).length < FEW) return [];
  return [
    {
      message: 'The whole body has dir="rtl", and its text is written from left to right.',
      at: html.at("dir"),
      hint: 'Write `dir="ltr"`, or `"direction": "ltr"` in template.json.',
    },
  ];
}

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
