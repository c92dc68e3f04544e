import type { Rule } from "../../rule.js";
import { formatVariables } from "../../truth/format-variables.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";

export const rawVariable: Rule = {
  id: "raw-variable",
  summary: "The HTML prints a variable without escaping it.",
  severity: "warning",
  checkTemplate(checked) {
    const { rawVariables } = checked.settings;
    const isAllowed = ({ name, found }: TagInPlace) =>
      rawVariables.includes(name) || (found !== undefined && rawVariables.includes(found.path));
    // variable-in-css reports what a component prints into its style sheet.
    const isOfStyles = ({ where }: TagInPlace) =>
      checked.template.engine === "react" && where?.kind === "text" && where.node.parent.name === "style";
    const raw = htmlTags(checked).filter((tag) => tag.kind === "unescaped" && !isAllowed(tag) && !isOfStyles(tag));
    return raw.map(({ name, text, found, where, at }) => ({
      message: `${text} is not escaped: with ${consequence(found?.path ?? name, where?.kind === "attribute")}.`,
      at: at(),
      hint: `Write \`{{${name}}}\`, or, if the application passes safe HTML, add "${name}" to \`check.rawVariables\` in the configuration.`,
    }));
  },
};

/** The smallest variables that break the HTML, and how. */
function consequence(path: string, isInAttribute: boolean): string {
  return isInAttribute
    ? `${formatVariables({ [path]: '"' })} the attribute ends early`
    : `${formatVariables({ [path]: "<b>" })} the HTML gains an element`;
}
