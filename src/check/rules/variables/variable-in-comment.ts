import type { Rule } from "../../rule.js";
import { htmlTags } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const variableInComment: Rule = {
  id: "variable-in-comment",
  summary: "A variable is printed into a comment.",
  severity: "warning",
  checkTemplate: (checked) =>
    onceEach(
      htmlTags(checked)
        .filter(({ kind, where }) => {
          const prints = kind === "variable" || kind === "unescaped";
          return prints && where?.kind === "comment" && !where.node.isConditional;
        })
        .map(({ text, name, at }) => ({
          message: `${text} prints into a comment: no reader sees it, and everyone who looks at the source does.`,
          at: at(),
          hint: `Remove it, or let the comment be Mustache's: \`{{! ${name} }}\`.`,
        })),
    ),
};
