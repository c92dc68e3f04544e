import type { Rule } from "../../rule.js";
import { preheaderOf } from "./preheader.js";
import { visibleText } from "./visible-text.js";

export const preheaderRepeats: Rule = {
  id: "preheader-repeats",
  summary: "A preheader says the same as the subject or the first heading.",
  severity: "warning",
  checkTemplate({ compiled, document }) {
    const preheader = preheaderOf(document);
    if (!preheader) return [];
    const said = bare(preheader.text);
    const heading = document.elements.find(({ name }) => /^h[1-3]$/.test(name));
    const isSubject = said === bare(compiled.subject);
    if (!isSubject && (!heading || said !== bare(heading.text))) return [];
    return [
      {
        severity: isSubject ? "warning" : "info",
        message: `The preheader says the same as the ${isSubject ? "subject, beside which inboxes show it" : "first heading"}: "${preheader.text}".`,
        at: preheader.at(),
        hint: "Say in it what a reader should know before opening the mail.",
      },
    ];
  },
};

/** Tags print the same, escaped or not. */
function bare(text: string): string {
  return visibleText(text)
    .replace(/\{\{\{?\s*&?\s*([^{}]*?)\s*\}\}\}?/g, "{{$1}}")
    .replace(/[\p{P}\p{S}]+$/u, "")
    .toLowerCase();
}
