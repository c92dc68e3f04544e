import type { Shape } from "../../../mustache/shape.js";
import type { BuiltInRule, CheckedTemplate } from "../../rule.js";
import { htmlTags, examplesOf, isDerived, prints, staysInElement, type TagInPlace } from "../../lib/variables.js";

export const variableInCss: BuiltInRule = {
  id: "variable-in-css",
  severity: "warning",
  summary: "A string that the application chooses freely is printed into CSS.",
  why:
    "Mustache escapes for HTML, in which `;`, `}` and `url(` are plain characters: a value such as `red; display: " +
    "none` adds a declaration ([OWASP, CSS " +
    "injection](https://owasp.org/www-project-web-security-testing-guide/latest/4-Web_Application_Security_Testing/11-Client-side_Testing/05-Testing_for_CSS_Injection)), " +
    "and an empty one drops it. Numbers, enums and sections are fine, and so is what `derive` returns if its " +
    "examples are CSS values. If the examples of a string that the application passes are CSS values, it is a note.\n\n" +
    "What a component prints into `<style>` is not escaped for HTML, as in React, because email clients don't decode " +
    "entities there. With `dangerouslySetInnerHTML`, a string with `</style>` in it ends the style sheet.",
  fix:
    'List the allowed values in the schema, `z.enum(["#0b5394", "#b00020"])`, choose the value in `derive`, or ' +
    "use a section: `color: {{#late}}#b00020{{/late}}{{^late}}#0b5394{{/late}}`.",
  examples: {
    wrong: [
      {
        "order/order.html": '<p style="color: ‸{{color}}">Your order</p>',
        "order/variables.ts": `import { z } from "zod";
export default z.object({ color: z.string() });`,
        "order/fixtures/default.json": '{ "color": "red; display: none" }',
      },
    ],
    right: [
      {
        "order/order.html": '<p style="color: {{color}}">Your order</p>',
        "order/variables.ts": `import { z } from "zod";
export default z.object({ color: z.enum(["#0b5394", "#b00020"]) });`,
        "order/fixtures/default.json": '{ "color": "#b00020" }',
      },
    ],
  },
  *checkTemplate(checked) {
    for (const tag of htmlTags(checked).filter((each) => isInCss(each) && !isLimited(each))) {
      const looksHarmless = areCssValues(tag, checked);
      // The project itself chooses what derive returns.
      if (looksHarmless && isDerived(tag, checked)) continue;
      const danger =
        tag.kind === "unescaped" && tag.where?.kind === "text" && !staysInElement(tag, checked)
          ? "a string with </style> in it ends the style sheet, and the rest becomes HTML"
          : 'a string such as "red; display: none" adds declarations';
      yield {
        severity: looksHarmless ? "info" : "warning",
        message: `${tag.text} prints into CSS, where ${danger}.`,
        at: tag.at(),
        hint: "List the allowed values in the schema, such as z.enum([…]), or choose the value in derive (variables.ts).",
      };
    }
  },
};

function isInCss(tag: TagInPlace): boolean {
  const { where } = tag;
  if (!prints(tag)) return false;
  if (where?.kind === "attribute") return where.attribute === "style";
  return where?.kind === "text" && where.node.parent.name === "style";
}

/** Whether the variable is not a free string: a number, one of a few values, a URL. */
function isLimited({ found }: TagInPlace): boolean {
  const isOne = ({ type, format, enum: values, const: only }: Shape["kinds"][number]): boolean =>
    values !== undefined || only !== undefined || (type === "string" ? format !== undefined : type !== undefined);
  return found !== undefined && found.shape.isKnown && found.shape.kinds.every(isOne);
}

const CSS_VALUE = /^(?:#[0-9a-f]{3,8}|-?[\d.]+(?:px|em|rem|%|pt|vw)?|[a-z]{2,20}|(?:rgb|hsl)a?\([\d\s.,%/]+\))$/i;

/** Whether all examples are CSS values. The schema may enforce that with a pattern, which is unknown here. */
function areCssValues(tag: TagInPlace, checked: CheckedTemplate): boolean {
  const values = examplesOf(tag, checked).flatMap(({ value }) => value ?? []);
  return values.length > 0 && values.every((value) => typeof value === "string" && CSS_VALUE.test(value));
}
