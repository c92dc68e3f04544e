import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";
import { areExclusive, branches } from "./sections.js";

export const duplicateId: Rule = {
  id: "duplicate-id",
  summary: "An id that is referred to is given to two elements.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    let places: ReturnType<typeof branches> | undefined;
    const referred = new Set(document.elements.flatMap(idsReferredTo));
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

function idsReferredTo({ attributes }: EmailElement): string[] {
  const href = attributes.get("href")?.trim() ?? "";
  const others = ["for", "aria-labelledby", "aria-describedby"].map((name) => attributes.get(name) ?? "");
  return [...(href.startsWith("#") ? [href.slice(1)] : []), ...others.flatMap((ids) => ids.split(/\s+/))].filter(
    Boolean,
  );
}
