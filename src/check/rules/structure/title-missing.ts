import type { Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";

export const titleMissing: Rule = {
  id: "title-missing",
  summary: "The html body has no title.",
  severity: "info",
  isOptional: true,
  checkTemplate(checked) {
    const { document, template } = checked;
    const head = document.first("head") ?? document.first("html");
    const title = document.named("title").find(({ parent }) => parent?.name !== "svg");
    if (!head) return [];
    const found = title && title.text.trim() !== "" ? TruthTable.of(checked).blank({ text: title.text }) : undefined;
    // Where it is the subject, too, the subject is the matter.
    if (title && title.text.trim() !== "" && (!found || template.metadata.subject === undefined)) return [];
    const empty = found ? `With ${inWords(found.variables)} the <title> is empty.` : "The <title> is empty.";
    const message = title ? empty : "The body has no <title>.";
    return [
      { message, at: (title ?? head).at(), hint: "Put what the email is about in `<title>`, or in `<mj-title>`." },
    ];
  },
};
