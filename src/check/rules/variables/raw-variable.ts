import type { Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { htmlTags } from "../../variables/tags.js";
import { onceEach } from "../../once-each.js";

export const rawVariable: Rule = {
  id: "raw-variable",
  summary: "The html prints a variable as it is, without escaping it.",
  severity: "warning",
  checkTemplate(checked) {
    const { rawVariables } = checked.settings;
    const raw = htmlTags(checked).filter(
      ({ kind, name, found }) =>
        kind === "unescaped" && !rawVariables.includes(name) && !(found && rawVariables.includes(found.path)),
    );
    return onceEach(
      raw.map(({ name, text, found, where, at }) => ({
        message: `${text} prints html as it is: with ${shown(found?.path ?? name, where?.kind === "attribute")}.`,
        at: at(),
        hint: `Write {{${name}}}; or, where the application passes html that is safe, add "${name}" to check.rawVariables in the configuration.`,
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
