import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { CheckedTemplate, Finding, Rule } from "../../rule.js";
import { inWords } from "../../truth/smallest.js";
import { TruthTable } from "../../truth/truth-table.js";
import { areExclusive, branches } from "../../truth/branches.js";

export const duplicateId: Rule = {
  id: "duplicate-id",
  summary: "An id is given to two elements.",
  severity: "warning",
  checkTemplate(checked): Finding[] {
    const { document } = checked;
    const referred = idsReferredTo(document);
    const first = new Map<string, EmailElement>();
    return document.elements.flatMap((element): Finding[] => {
      const id = element.attribute("id")?.trim() ?? "";
      if (id === "" || id.includes("{{")) return [];
      const other = first.get(id);
      if (!other) {
        first.set(id, element);
        return repeated(element, checked, referred.has(id));
      }
      const places = branches(document);
      if (areExclusive(checked, places.get(other) ?? [], places.get(element) ?? [])) return [];
      const message = `The id "${id}" is already that of a <${other.name}>`;
      const said = { at: element.at("id"), hint: "Give one of them another id." };
      if (referred.has(id)) return [{ ...said, message: `${message}: what refers to it leads there.` }];
      // A part that is included twice, or a component that has it, is nobody's slip of the pen.
      if (element.place === undefined || isSamePlace(other, element)) return [];
      return [{ ...said, message: `${message}.`, severity: "info" }];
    });
  },
};

/** An element that a section shows for each item of a list. */
function repeated(element: EmailElement, checked: CheckedTemplate, isReferredTo: boolean): Finding[] {
  const around = branches(checked.document).get(element) ?? [];
  if (!element.place || around.length === 0) return [];
  const found = TruthTable.of(checked).find([{ text: "", around }], ([times = []]) => times.length > 1);
  if (!found) return [];
  const consequence = isReferredTo ? ": what refers to it leads to the first" : "";
  return [
    {
      message: `With ${inWords(found.variables)} the id "${element.attribute("id")?.trim()}" is given to several elements${consequence}.`,
      at: element.at("id"),
      hint: "Put something of the item into the id, or remove it.",
      severity: isReferredTo ? "warning" : "info",
    },
  ];
}

function isSamePlace({ place: a }: EmailElement, { place: b }: EmailElement): boolean {
  return a?.at.file === b?.at.file && a?.at.line === b?.at.line && a?.at.column === b?.at.column;
}

function idsReferredTo({ elements }: EmailDocument): Set<string> {
  const ids = new Set<string>();
  for (const { attributes } of elements) {
    const href = attributes.get("href")?.trim() ?? "";
    if (href.startsWith("#")) ids.add(href.slice(1));
    for (const name of REFERRING) for (const id of attributes.get(name)?.split(/\s+/) ?? []) ids.add(id);
  }
  ids.delete("");
  return ids;
}

const REFERRING: readonly string[] = ["for", "aria-labelledby", "aria-describedby"];
