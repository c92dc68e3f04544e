import type { Rule } from "../../rule.js";
import { formatVariables } from "../../truth/format-variables.js";
import { TruthTable } from "../../truth/truth-table.js";

export const titleMissing: Rule = {
  id: "title-missing",
  summary: "The HTML body has no title.",
  severity: "info",
  isOptional: true,
  checkTemplate(checked) {
    const { document, template } = checked;
    const head = document.first("head") ?? document.first("html");
    const title = document.named("title").find(({ parent }) => parent?.name !== "svg");
    if (!head) return [];
    const at = (title ?? head).at();
    const hint = "Write what the email is about in `<title>`, or in `<mj-title>`.";
    if (!title) return [{ message: "The body has no <title>.", at, hint }];
    if (title.text.trim() === "") return [{ message: "The <title> is empty.", at, hint }];
    // Without another subject, the title is the subject, and filled-subject reports it.
    const outcome =
      template.metadata.subject === undefined ? undefined : TruthTable.of(checked).blank({ text: title.text });
    return outcome ? [{ message: `With ${formatVariables(outcome.variables)} the <title> is empty.`, at, hint }] : [];
  },
};
