import type { Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { htmlTags, type TagInPlace } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const rawVariable: Rule = {
  id: "raw-variable",
  summary: "The html prints a variable as it is, without escaping it.",
  severity: "warning",
  checkTemplate(checked) {
    const { rawVariables } = checked.settings;
    const isAllowed = ({ name, found }: TagInPlace) =>
      rawVariables.includes(name) || (found !== undefined && rawVariables.includes(found.path));
    // What a component prints into its style sheet is told as a variable in CSS.
    const isOfStyles = ({ where }: TagInPlace) =>
      checked.template.engine === "react" && where?.kind === "text" && where.node.parent.name === "style";
    const raw = htmlTags(checked).filter((tag) => tag.kind === "unescaped" && !isAllowed(tag) && !isOfStyles(tag));
    return onceEach(
      raw.map(({ name, text, found, where, at }) => ({
        message: `${text} prints html as it is: with ${shown(found?.path ?? name, where?.kind === "attribute")}.`,
        at: at(),
        hint: `Write \`{{${name}}}\`; or, where the application passes html that is safe, add "${name}" to \`check.rawVariables\` in the configuration.`,
      })),
    );
  },
};

/** The smallest variables that show it. */
function shown(path: string, isInAttribute: boolean): string {
  return isInAttribute
    ? `${inWords({ [path]: '"' })} the attribute's value ends there, and what follows is html`
    : `${inWords({ [path]: "<b>" })} the html has another element`;
}
