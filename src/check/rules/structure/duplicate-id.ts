import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { BuiltInRule, CheckedTemplate, Finding } from "../../rule.js";
import { areExclusive, branches, formatVariables, TruthTable } from "../../truth/truth-table.js";

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
  checkTemplate(checked): Finding[] {
    const { document } = checked;
    const referenced = referencedIds(document);
    const first = new Map<string, EmailElement>();
    return document.elements.flatMap((element): Finding[] => {
      const id = element.attribute("id")?.trim() ?? "";
      if (id === "" || id.includes("{{")) return [];
      const other = first.get(id);
      if (!other) {
        first.set(id, element);
        return repeated(element, checked, referenced.has(id));
      }
      const places = branches(document);
      if (areExclusive(checked, places.get(other) ?? [], places.get(element) ?? [])) return [];
      const message = `The id "${id}" is already used by a <${other.name}>`;
      const common = { at: element.at("id"), hint: "Give one of them a different id." };
      if (referenced.has(id)) return [{ ...common, message: `${message}: references to it lead there.` }];
      // A part that is included twice, or a component with a fixed id, is not a typo.
      if (element.place === undefined || isSamePlace(other, element)) return [];
      return [{ ...common, message: `${message}.`, severity: "info" }];
    });
  },
};

/** An element in a section that shows it for each item of a list. */
function repeated(element: EmailElement, checked: CheckedTemplate, isReferenced: boolean): Finding[] {
  const around = branches(checked.document).get(element) ?? [];
  if (!element.place || around.length === 0) return [];
  const outcome = TruthTable.of(checked).find([{ text: "", around }], ([shown = []]) => shown.length > 1);
  if (!outcome) return [];
  const consequence = isReferenced ? ": references to it lead to the first" : "";
  return [
    {
      message: `With ${formatVariables(outcome.variables)} several elements have the id "${element.attribute("id")?.trim()}"${consequence}.`,
      at: element.at("id"),
      hint: "Add something unique to each item to the id, or remove it.",
      severity: isReferenced ? "warning" : "info",
    },
  ];
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
