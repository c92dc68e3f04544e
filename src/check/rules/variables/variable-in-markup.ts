import { TOKEN, type Tag } from "../../../mustache/tokens.js";
import { textsIn } from "../../../text/markup/scan.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { BuiltInRule } from "../../rule.js";
import { htmlTags, prints, type TagInPlace } from "../../lib/variables.js";

export const variableInMarkup: BuiltInRule = {
  id: "variable-in-markup",
  severity: "error",
  summary: "A variable is printed into an HTML tag, outside the quotes of an attribute.",
  why:
    "Between attributes or in a name nothing is quoted, so escaping does not help: a value with a space becomes " +
    "several attributes, perhaps `onclick` ([OWASP, dangerous " +
    "contexts](https://cheatsheetseries.owasp.org/cheatsheets/Cross_Site_Scripting_Prevention_Cheat_Sheet.html#dangerous-contexts)). " +
    "Right after a `<`, as in `Hello <{{name}}>`, it becomes the name of an element, which is not shown and may " +
    "swallow everything up to the next `>`.",
  fix:
    'Print it between the quotes of an attribute, or use a section: `<td {{#wide}}colspan="2"{{/wide}}>`. To ' +
    "show a `<`, write `&lt;`: `&lt;{{email}}&gt;`.",
  examples: {
    wrong: [
      {
        "order/order.html": "<p ‸{{attributes}}>Your order</p>",
        "order/fixtures/default.json": '{ "attributes": "hidden" }',
      },
      {
        "order/order.html": "<p>From Ada <‸{{email}}></p>",
        "order/fixtures/default.json": '{ "email": "ada@shop.example" }',
      },
    ],
    right: [
      {
        "order/order.html": '<p title="{{title}}" {{#isWide}}class="wide"{{/isWide}}>Your order</p>',
        "order/fixtures/default.json": '{ "title": "Tea", "isWide": true }',
      },
    ],
  },
  checkTemplate(checked) {
    const tags = htmlTags(checked);
    const afterSign = tagsAfterSign(checked.document);
    const names = tags.filter((each) => prints(each) && afterSign.has(each.tag));
    return [
      ...tags.filter(isInMarkup).map(({ text, at }) => ({
        message: `${text} prints into an HTML tag, where its value becomes attributes or breaks the tag.`,
        at: at(),
        hint: 'Print it between the quotes of an attribute, or choose with a section: `<td {{#wide}}colspan="2"{{/wide}}>`.',
      })),
      ...names.map(({ text, at }) => ({
        message: `${text} follows a <, so its value becomes the name of an HTML tag and is not shown.`,
        at: at(),
        hint: "Write `&lt;` to show the sign. To choose an element, use a section: `{{#big}}<h1>…</h1>{{/big}}`.",
      })),
    ];
  },
};

/** The tags right after a `<` or `</` that is not part of an element. */
function tagsAfterSign({ input: { html, tags } }: EmailDocument): Set<Tag> {
  const after = new Set<Tag>();
  if (!/<\/?\uE000/.test(html)) return after;
  for (const { start, end } of textsIn(html))
    for (const [run] of html.slice(start, end).matchAll(AFTER_SIGN))
      for (const [, number] of run.matchAll(TOKEN)) {
        const tag = tags[Number(number)];
        if (tag) after.add(tag);
      }
  return after;
}

const AFTER_SIGN = /<\/?(?:\uE000\d+\uE001)+/g;

/** Whether a tag prints among attributes. Sections there only choose attributes. */
function isInMarkup(tag: TagInPlace): boolean {
  return prints(tag) && tag.where?.kind === "name";
}
