import type { Condition } from "../../../mustache/variables.js";
import type { BuiltInRule } from "../../rule.js";
import { formatVariables } from "../../truth/truth-table.js";
import { htmlTags, staysInElement, type TagInPlace } from "../../lib/variables.js";

export const rawVariable: BuiltInRule = {
  id: "raw-variable",
  severity: "warning",
  summary: "The HTML prints a variable without escaping it.",
  details: "The HTML prints a variable without escaping it: `{{{name}}}` or `{{& name}}`.",
  why:
    'What is not escaped is HTML. A name such as `<b>` or `Tom & "Jerry"` breaks the page, and whoever chooses ' +
    "the value can put links and images into an email that comes from you ([OWASP, " +
    "injection](https://owasp.org/www-community/Injection_Flaws)). The subject and the text body are not HTML, so " +
    "nothing is escaped or reported there.",
  fix:
    "Write `{{name}}`. If the application passes HTML that it has made safe, allow the variable: `check: { " +
    'rawVariables: ["articleHtml"] }` in `lettershop.config.ts`.',
  examples: {
    wrong: [{ "order/order.html": "<p>Hello ‸{{{name}}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' }],
    right: [{ "order/order.html": "<p>Hello {{name}},</p>", "order/fixtures/default.json": '{ "name": "Ada" }' }],
  },
  checkTemplate(checked) {
    const { rawVariables } = checked.settings;
    const isAllowed = ({ name, found }: TagInPlace) =>
      rawVariables.includes(name) || (found !== undefined && rawVariables.includes(found.path));
    // variable-in-css reports what a component prints into its style sheet.
    const isOfStyles = ({ where }: TagInPlace) =>
      checked.template.engine === "react" && where?.kind === "text" && where.node.parent.name === "style";
    // What a component renders is HTML.
    const rendered = new Set(checked.compiled.contract.conditions.filter(isRendered).map(({ name }) => name));
    const raw = htmlTags(checked).filter(
      (tag) =>
        tag.kind === "unescaped" &&
        !isAllowed(tag) &&
        !isOfStyles(tag) &&
        !rendered.has(tag.name) &&
        !staysInElement(tag, checked),
    );
    return raw.map(({ name, text, found, where, at }) => ({
      message: `${text} is not escaped: with ${consequence(found?.path ?? name, where)}.`,
      at: at(),
      hint: `Write \`{{${name}}}\`, or, if the application passes safe HTML, add "${name}" to \`check.rawVariables\` in the configuration.`,
    }));
  },
};

function isRendered({ test }: Condition): boolean {
  if (test.kind !== "computed" || test.expression.kind !== "call") return false;
  const { callee } = test.expression;
  return callee.kind === "package" && callee.isComponent === true;
}

/** The smallest variables that break the HTML, and how. */
function consequence(path: string, where: TagInPlace["where"]): string {
  if (where?.kind === "attribute") return `${formatVariables({ [path]: '"' })} the attribute ends early`;
  return where?.kind === "text" && where.node.parent.name === "script"
    ? `${formatVariables({ [path]: "</script>" })} the script ends early`
    : `${formatVariables({ [path]: "<b>" })} the HTML gains an element`;
}
