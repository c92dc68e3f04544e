import { roleOf, type Tag } from "../../../mustache/tokens.js";
import type { TagUse } from "../../document/email-document.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { htmlTags } from "../../lib/variables.js";

export const sectionsBreakHtml: BuiltInRule = {
  id: "sections-break-html",
  severity: "error",
  summary: "A section contains only one of the quotes around an attribute's value.",
  why:
    'In `<p title="{{#wide}}big"{{/wide}}>`, the second quote is shown only if `wide` is true. If it is not, the ' +
    "value continues to the next quote in the email and swallows everything before it. An element that a section " +
    "only sometimes opens or closes is reported as [markup-unbalanced](markup-unbalanced.md).",
  fix: 'Put both quotes inside the section, or both outside: `<p title="{{#wide}}big{{/wide}}">`.',
  examples: {
    wrong: [
      {
        "order/order.html": '<p title="‸{{#isPaid}}Paid"{{/isPaid}}>Your order</p>',
        "order/fixtures/default.json": '{ "isPaid": true }',
      },
    ],
    right: [
      {
        "order/order.html": '<p title="{{#isPaid}}Paid{{/isPaid}}">Your order</p>',
        "order/fixtures/default.json": '{ "isPaid": true }',
      },
    ],
  },
  checkTemplate(checked): Finding[] {
    const halves = halfQuoted(checked);
    return htmlTags(checked)
      .filter(({ tag }) => halves.has(tag))
      .map(({ text, at }) => ({
        message: `The section ${text} contains only one of the quotes around a value. When the section is not shown, the tag swallows what follows.`,
        at: at(),
        hint: "Put both quotes inside the section, or both outside.",
      }));
  },
};

/** The opening tags of sections that begin inside a value and end outside, or the reverse. The compiler reports unbalanced elements. */
function halfQuoted({ document }: CheckedTemplate): Set<Tag> {
  const open: TagUse[] = [];
  const halves = new Set<Tag>();
  for (const use of document.tags) {
    if (roleOf(use.tag) === "opens") open.push(use);
    const opening = roleOf(use.tag) === "closes" ? open.pop() : undefined;
    const kinds = [opening?.where.kind, use.where.kind];
    if (opening && kinds.includes("attribute") && kinds.includes("name")) halves.add(opening.tag);
  }
  return halves;
}
