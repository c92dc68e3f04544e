import type { Rule } from "../../rule.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const variableInMarkup: Rule = {
  id: "variable-in-markup",
  summary: "A variable is printed as part of an html tag itself, outside of the quotes of an attribute.",
  severity: "error",
  checkTemplate: (checked) =>
    onceEach(
      htmlTags(checked)
        .filter(isInMarkup)
        .map(({ text, at }) => ({
          message: `${text} prints into an html tag, where its text becomes attributes, or breaks the tag.`,
          at: at(),
          hint: 'Print it between the quotes of an attribute, or choose with a section: <td {{#wide}}colspan="2"{{/wide}}>.',
        })),
    ),
};

/** Sections may choose attributes; what prints would be one. */
export function isInMarkup({ kind, where }: TagInPlace): boolean {
  return (kind === "variable" || kind === "unescaped") && where?.kind === "name";
}
