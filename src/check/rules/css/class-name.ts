import { nearest } from "../../../nearest.js";
import type { EmailDocument } from "../../document/email-document.js";
import type { EmailElement } from "../../document/nodes.js";
import type { Finding, Rule } from "../../rule.js";

export const className: Rule = {
  id: "class-name",
  summary: "A class has no style, and nearly the name of one that no element has.",
  severity: "warning",
  checkTemplate({ document }): Finding[] {
    const given = classesOf(document);
    const styled = new Set(
      document.styleRules.flatMap(({ selectors }) => selectors.flatMap((selector) => classesIn(selector))),
    );
    const idle = [...styled].filter((name) => !given.has(name));
    // A tag may fill in any of them.
    if (idle.length === 0 || document.elements.some((each) => each.attribute("class")?.includes("{{"))) return [];
    return Array.from(given).flatMap(([name, element]): Finding[] => {
      const meant = styled.has(name) || !isWord(name) ? undefined : nearest(name, idle.filter(isWord), 1);
      if (meant === undefined || !isSlip(name, meant)) return [];
      const message = `No style is for the class ${name}, and no element has the class ${meant}, which has one.`;
      return [{ message, at: element.at("class"), hint: `Did you mean ${meant}?` }];
    });
  },
};

/** The classes that a user gave, with the first element that has each. */
function classesOf({ elements, isSited }: EmailDocument): Map<string, EmailElement> {
  const given = new Map<string, EmailElement>();
  for (const element of elements) {
    if (isSited && !element.place) continue;
    for (const name of element.attribute("class")?.split(/\s+/) ?? [])
      if (name !== "" && !given.has(name)) given.set(name, element);
  }
  return given;
}

function classesIn(selector: string): string[] {
  return Array.from(selector.replaceAll(/\[[^\]]*\]/g, "").matchAll(/\.(-?[a-z_][\w-]*)/gi), ([, name = ""]) => name);
}

/** `mt-10` and `mb-10`, `pl-lg` and `pr-lg` are names of their own. */
function isWord(name: string): boolean {
  return name.length > 3 && name.split(/[-_]+/).every((part) => /^[a-z]{3,}$/i.test(part));
}

/** `buttons` is no slip of `button`, nor `mail` of `main`. */
function isSlip(name: string, meant: string): boolean {
  if (name.replace(/s$/, "") === meant.replace(/s$/, "")) return false;
  return name.length > 5 || isSwapped(name, meant);
}

function isSwapped(name: string, meant: string): boolean {
  const [own, other] = [name, meant].map((each) => each.toLowerCase().split("").toSorted().join(""));
  return own === other;
}
