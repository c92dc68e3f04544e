import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { areExclusive, branches } from "./sections.js";

export const duplicateId: Rule = {
  id: "duplicate-id",
  summary: "An id that is referred to is given to two elements.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    let places: ReturnType<typeof branches> | undefined;
    const referred = idsReferredTo(document);
    if (referred.size === 0) return [];
    const first = new Map<string, EmailElement>();
    return document.elements.flatMap((element): Finding[] => {
      const id = element.attribute("id")?.trim() ?? "";
      if (!referred.has(id) || id.includes("{{")) return [];
      const other = first.get(id);
      if (!other) first.set(id, element);
      if (!other) return [];
      places ??= branches(document);
      if (areExclusive(places.get(other) ?? [], places.get(element) ?? [])) return [];
      const message = `The id "${id}" is already that of a <${other.name}>: what refers to it leads there.`;
      return [{ message, at: element.at("id"), hint: "Give one of them another id." }];
    });
  },
};

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
