import type { Variables } from "../../../mustache/variables.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { areExclusive, branchOf, formatVariables, TruthTable } from "../../truth/truth-table.js";

export const duplicateId: BuiltInRule = {
  id: "duplicate-id",
  severity: "warning",
  summary: "Two elements have the same id.",
  details:
    "Two elements have the same id, or an element in a section over a list has one that every item repeats. It is " +
    "a warning if a link, a label or an `aria-` attribute refers to the id, otherwise a note.",
  why:
    "An id must be unique: [the HTML standard on " +
    "`id`](https://html.spec.whatwg.org/multipage/dom.html#the-id-attribute). Links and labels refer to the first " +
    "element that has it. Elements that are never shown together may share an id: in a section and its opposite, " +
    "or for different values of one variable.",
  fix: 'Give one of them a different id. In a list, add something unique to each item: `id="item-{{number}}"`.',
  examples: {
    wrong: [
      `<a href="#total">Total</a>
<p id="total">€ 10</p>
<p ‸id="total">€ 20</p>`,
      {
        "order/order.html": '{{#items}}<p ‸id="item">{{name}}</p>{{/items}}',
        "order/fixtures/default.json": '{ "items": [{ "name": "Tea" }, { "name": "Jam" }] }',
      },
    ],
    right: [
      {
        "order/order.html": '{{#isPaid}}<p id="total">Paid</p>{{/isPaid}}{{^isPaid}}<p id="total">Open</p>{{/isPaid}}',
        "order/fixtures/default.json": '{ "isPaid": true }',
      },
    ],
  },
  *checkTemplate(checked): Generator<Finding> {
    const { document } = checked;
    const referenced = referencedIds(document);
    const first = new Map<string, EmailElement>();
    for (const element of document.elements) {
      const id = element.attribute("id")?.trim() ?? "";
      if (id === "" || id.includes("{{")) continue;
      const isReferenced = referenced.has(id);
      const other = first.get(id);
      if (!other) {
        first.set(id, element);
        const variables = repeating(element, checked);
        if (variables)
          yield {
            message: `With ${formatVariables(variables)} several elements have the id "${id}"${isReferenced ? ": references to it lead to the first" : ""}.`,
            at: element.at("id"),
            hint: "Add something unique to each item to the id, or remove it.",
            severity: isReferenced ? "warning" : "info",
          };
        continue;
      }
      // A part that is included twice, or a component with a fixed id, is not a typo.
      const isIntended = element.place === undefined || isSamePlace(other, element);
      if ((isIntended && !isReferenced) || areExclusive(checked, other, element)) continue;
      yield {
        message: `The id "${id}" is already used by a <${other.name}>${isReferenced ? ": references to it lead there" : ""}.`,
        at: element.at("id"),
        hint: "Give one of them a different id.",
        severity: isReferenced ? "warning" : "info",
      };
    }
  },
};

/** The variables with which a section shows an element for each item of a list. */
function repeating(element: EmailElement, checked: CheckedTemplate): Variables | undefined {
  const around = branchOf(element);
  if (!element.place || around.length === 0) return undefined;
  return TruthTable.of(checked).find([{ text: "", around }], ([shown = []]) => shown.length > 1)?.variables;
}

function isSamePlace({ place: a }: EmailElement, { place: b }: EmailElement): boolean {
  return a?.at.file === b?.at.file && a?.at.line === b?.at.line && a?.at.column === b?.at.column;
}

function referencedIds({ elements }: EmailDocument): Set<string> {
  const ids = new Set<string>();
  for (const { attributes } of elements) {
    const href = attributes.get("href")?.trim() ?? "";
    if (href.startsWith("#")) ids.add(href.slice(1));
    for (const name of REFERENCES) for (const id of attributes.get(name)?.split(/\s+/) ?? []) ids.add(id);
  }
  ids.delete("");
  return ids;
}

const REFERENCES: readonly string[] = ["for", "aria-labelledby", "aria-describedby"];
